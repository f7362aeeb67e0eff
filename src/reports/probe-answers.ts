import { type Clock, pause, within } from "../domain/clock.ts";
import { isOfficeError } from "../domain/errors.ts";
import { type Address, type Delivery, done, headerText, type Message, type Verdict } from "../domain/message.ts";
import type { ProbeAnswer, ProbeReport } from "../domain/report.ts";
import { queueNames, wire } from "../domain/wire.ts";
import type { Transport } from "../transports/transport.ts";
import type { WorkingConsumer } from "./report-of-event.ts";

export interface ProbeAnswersParts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly consumer: WorkingConsumer;
  readonly answer: (report: ProbeReport) => void;
  readonly signal: AbortSignal;
}

const limits = { concurrency: 4, prefetch: 8, order: "none", leaseMs: 60_000, returnDelayMs: 1_000 } as const;
/** How long a probe may take, in milliseconds: nobody waits longer for its answer. */
const probeWithinMs = 10_000;
const tryAgainMs = 5_000;

/** Asks the consumer's own probe what the office wants to know, until `signal` aborts. A question too old is let go. */
export async function answerProbes({ transport, clock, consumer, answer, signal }: ProbeAnswersParts): Promise<void> {
  const { queue, probe, service, version, instance } = consumer;
  if (probe === null) return;
  const handle = async ({ message }: Delivery): Promise<Verdict> => {
    const question = headerText(message.headers, wire.probe);
    const until = Date.parse(headerText(message.headers, wire.probeUntil) ?? "");
    if (question === undefined || !(clock.now() < until)) return done;
    const unknown = (): ProbeAnswer => "unknown";
    const effect = await within(clock, probeWithinMs, asked(probe, message), unknown).catch(unknown);
    const at = new Date(clock.now()).toISOString();
    answer({ v: 1, kind: "probe", question, queue, effect, at, service, version, instance });
    return done;
  };
  while (!signal.aborted) {
    try {
      await transport.consume(questionsOf(consumer.source), handle, { ...limits, signal });
    } catch (error) {
      if (isOfficeError(error, "TRANSPORT_CLOSED")) return;
      // Without its queue, or without its broker, nothing is answered: somebody is asked instead.
      await pause(clock, tryAgainMs, signal);
    }
  }
}

async function asked(probe: NonNullable<WorkingConsumer["probe"]>, message: Message): Promise<ProbeAnswer> {
  const headers = message.headers.filter(({ name }) => name !== wire.probe && name !== wire.probeUntil);
  const said = await probe({ ...message, headers });
  return said === "done" || said === "none" ? said : "unknown";
}

/** On a log this group alone reads them. */
function questionsOf({ name, group }: Address): Address {
  return group === undefined
    ? { name: queueNames.probes(name) }
    : { name: queueNames.probes(`${name}.${group}`), group };
}
