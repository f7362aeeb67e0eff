import { queueNames } from "../../src/domain/wire.ts";
import { idOf } from "./planned-message.ts";
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
    for (const { key, state, number } of await blockedKeys.list(workQueue)) {
      if (state !== "dead" || !(network.isCalm || dice.chance(0.3))) continue;
      const lane = Buffer.from(key).toString();
      world.trace.note(`the operator releases ${lane}`);
      const [outcome] = await blockedKeys.release([{ queue: workQueue, key, number }]);
      if (outcome === "released") witness.releasedPast(lane);
    }
    world.schedule(null, network.isCalm ? calmLookEveryMs : lookEveryMs, () => void look());
  };
  world.schedule(null, lookEveryMs, () => void look());
}

/**
 * Tells the witness which of the parked messages are not done with.
 *
 * One that could not be parked is done in its place, without its number; that is void when the next message of its key
 * comes, and blocks nobody until then. If it was parked after all, long after the answer, what lies there is a copy.
 */
export async function seeParked({ blockedKeys, broker, witness }: Stage): Promise<void> {
  const parked = queueNames.parked(workQueue);
  const blocked = new Set((await blockedKeys.list(workQueue)).map(({ key }) => Buffer.from(key).toString()));
  const waiting = new Set<number>();
  for (const message of broker.messages(parked)) {
    const number = laneOf(parked, message);
    if (number === null || message.key === null) continue;
    const { kind } = await blockedKeys.weigh({ queue: workQueue, key: message.key }, number);
    const isCopy = !blocked.has(Buffer.from(message.key).toString()) && witness.isOutOfTheWay(idOf(message));
    if (kind !== "passed" && !isCopy) waiting.add(number);
  }
  witness.waitingNumbers = waiting;
}
