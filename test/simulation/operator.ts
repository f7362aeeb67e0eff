import type { BlockedKey } from "../../src/stores/blocked-keys.ts";
import type { Stage } from "./stage.ts";
import { workQueue } from "./witness.ts";

/** How often somebody looks at the keys that wait, in milliseconds; once all is calm, without hesitating. */
const lookEveryMs = 3_000;
const calmLookEveryMs = 500;

/** Releases keys behind dead messages, as a person or a replay would: some soon, some late, all in the end. */
export function operate(stage: Stage): void {
  const { world, network, blockedKeys, witness, scenario } = stage;
  if (scenario.settings.order === "none") return;
  const dice = world.dice.fork("operator");
  const look = async () => {
    for (const { key, state } of await seeBlockedLanes(stage)) {
      if (state !== "dead" || !(network.isCalm || dice.chance(0.3))) continue;
      const lane = Buffer.from(key).toString();
      world.trace.note(`the operator releases ${lane}`);
      if (await blockedKeys.releaseKey(workQueue, key)) witness.releasedPast(lane);
    }
    world.schedule(null, network.isCalm ? calmLookEveryMs : lookEveryMs, () => void look());
  };
  world.schedule(null, lookEveryMs, () => void look());
}

/** Tells the witness which keys wait. */
export async function seeBlockedLanes({ blockedKeys, witness }: Stage): Promise<readonly BlockedKey[]> {
  const blocked = await blockedKeys.list(workQueue);
  witness.blockedLanes = new Set(blocked.map(({ key }) => Buffer.from(key).toString()));
  return blocked;
}
