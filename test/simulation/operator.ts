import { queueNames } from "../../src/domain/wire.ts";
import type { Stage } from "./stage.ts";
import { laneOf, workQueue } from "./witness.ts";

/** How often somebody looks at the keys that wait, in milliseconds; once all is calm, without hesitating. */
const lookEveryMs = 3_000;
const calmLookEveryMs = 500;

/** Releases keys behind dead messages, as a person or a replay would: some soon, some late, all in the end. */
export function operate(stage: Stage): void {
  const { world, network, blockedKeys, witness, scenario } = stage;
  if (scenario.settings.order === "none") return;
  const dice = world.dice.fork("operator");
  const look = async () => {
    await seeParked(stage);
    for (const { key, state } of await blockedKeys.list(workQueue)) {
      if (state !== "dead" || !(network.isCalm || dice.chance(0.3))) continue;
      const lane = Buffer.from(key).toString();
      world.trace.note(`the operator releases ${lane}`);
      if (await blockedKeys.releaseKey(workQueue, key)) witness.releasedPast(lane);
    }
    world.schedule(null, network.isCalm ? calmLookEveryMs : lookEveryMs, () => void look());
  };
  world.schedule(null, lookEveryMs, () => void look());
}

/** Tells the witness which of the parked messages are not done with. */
export async function seeParked({ blockedKeys, broker, witness }: Stage): Promise<void> {
  const parked = queueNames.parked(workQueue);
  const waiting = new Set<number>();
  for (const message of broker.messages(parked)) {
    const number = laneOf(parked, message);
    if (number === null || message.key === null) continue;
    const { kind } = await blockedKeys.weigh({ queue: workQueue, key: message.key }, number);
    if (kind !== "passed") waiting.add(number);
  }
  witness.waitingNumbers = waiting;
}
