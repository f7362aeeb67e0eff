import { pause } from "../../src/domain/clock.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { toMessage } from "./planned-message.ts";
import type { PlannedMessage } from "./scenario.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import { connect, type Stage } from "./stage.ts";
import { workQueue } from "./witness.ts";

/** Sends all that is planned, each until the broker has it for certain. Resolves when it is done. */
export async function produce(stage: Stage): Promise<void> {
  const process = new SimulatedProcess(stage.world, { name: "producer", skewMs: 0 });
  const transport = connect(stage, process);
  const inOrder = [...stage.scenario.messages].sort((a, b) => a.sendAtMs - b.sendAtMs);
  const lanes = new Map<string, PlannedMessage[]>();
  for (const planned of inOrder) {
    const lane = planned.lane ?? planned.id;
    lanes.set(lane, [...(lanes.get(lane) ?? []), planned]);
  }
  await Promise.all(Array.from(lanes.values(), (messages) => sendInOrder(stage, process, transport, messages)));
}

/** One after the other: only what a producer sends in order can be kept in order. */
async function sendInOrder(
  { world, witness }: Stage,
  process: SimulatedProcess,
  transport: Transport,
  messages: readonly PlannedMessage[],
): Promise<void> {
  const startedAt = world.clock.now();
  for (const planned of messages) {
    await pause(process.host.clock, startedAt + planned.sendAtMs - world.clock.now());
    await sendUntilAccepted(process, transport, planned);
    witness.accepted.add(planned.id);
  }
}

async function sendUntilAccepted(
  process: SimulatedProcess,
  transport: Transport,
  planned: PlannedMessage,
): Promise<void> {
  for (;;) {
    try {
      return await transport.send({ name: workQueue }, toMessage(planned));
    } catch {
      // Unknown or refused, it is sent again, as the same message under the same key.
      await pause(process.host.clock, 200);
    }
  }
}
