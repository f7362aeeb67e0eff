import { connect } from "amqplib";
import { makeId } from "../src/domain/ids.ts";
import type { Ledger } from "../src/ledger/ledger.ts";
import { type DrainParts, drain } from "../src/office/intake/drain.ts";
import { rabbitmqTransport } from "../src/rabbitmq.ts";
import { systemHost } from "../src/system/host.ts";
import type { BareReader } from "./bare/bare-client.ts";
import { bareRabbitmq } from "./bare/rabbitmq.ts";
import { benchActor, benchRoom } from "./ledger-intake.ts";
import { benchLetter } from "./ledger-letters.ts";
import { batches, copyLetters, type LedgerBench, openBenchLedger, readBefore } from "./ledger-variants.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample, Variant } from "./suite.ts";

/** A drain's, for those that only write what one would. */
export const benchSession = makeId(Date.now(), crypto.randomUUID());

export interface DrainBench extends LedgerBench {
  /** Where RabbitMQ is. */
  readonly broker: string;
}

/** What `dlo drain` does. */
export async function drainVariant(bench: DrainBench): Promise<Variant> {
  const { ledger, pool } = await openBenchLedger(bench, `drained_${bench.connections}`);
  return {
    name: `drain, ${bench.connections} connection${bench.connections === 1 ? "" : "s"}`,
    sample: () => withQueue(bench, (queue) => drainedByUs(bench, ledger, queue)),
    close: () => pool.end(),
  };
}

async function drainedByUs({ broker, letters }: DrainBench, ledger: Ledger, queue: string): Promise<Sample> {
  const transport = rabbitmqTransport({ url: broker });
  const measured = await drained({ ledger, transport, from: { name: queue } }, letters);
  await transport.close();
  return measured;
}

/** From the first letter that is read to the last that is committed. */
export async function drained(
  { ledger, transport, from }: Pick<DrainParts, "ledger" | "transport" | "from">,
  letters: number,
): Promise<Sample> {
  const stop = new AbortController();
  let elapsed = stopwatch();
  let measured: Sample | undefined;
  const room = {
    ...benchRoom,
    read: (letter: Parameters<typeof benchRoom.read>[0]) => {
      // The first is taken: connecting has nothing to do with it.
      if (!isUnderWay) {
        isUnderWay = true;
        elapsed = stopwatch();
      }
      return benchRoom.read(letter);
    },
  };
  let isUnderWay = false;
  await drain({
    ...{ ledger, transport, from, source: "bench", room, actor: benchActor, host: systemHost },
    signal: stop.signal,
    onProgress({ held }) {
      if (held < letters) return;
      measured = elapsed(letters);
      stop.abort();
    },
  });
  if (measured === undefined) throw new Error(`The drain of ${from.name} ended before it had all of it.`);
  return measured;
}

/** Takes, writes rows that were made ready before, acknowledges: nothing is read, told apart, counted or logged. */
export async function bareVariant(bench: DrainBench): Promise<Variant> {
  const { ledger, pool } = await openBenchLedger(bench, "bare");
  return {
    name: "amqplib and COPY",
    sample: () =>
      withQueue(bench, async (queue) => {
        const client = await bareRabbitmq(bench.broker);
        const measured = await copied(await client.read(queue), ledger, bench.letters);
        await client.close();
        return measured;
      }),
    close: () => pool.end(),
  };
}

/** Takes and writes by turns: the next batch is taken while one is written, and acknowledged only then. */
export async function copied(reader: BareReader, ledger: Ledger, letters: number): Promise<Sample> {
  const waiting = (await readBefore(letters, benchSession)).flat();
  let settling: Promise<unknown> = Promise.resolve();
  let elapsed: ReturnType<typeof stopwatch> | undefined;
  while (waiting.length > 0) {
    const { count, acknowledge } = await reader.next();
    elapsed ??= stopwatch();
    const written = count === 0 ? settling : copyLetters(ledger, waiting.splice(0, count), benchSession);
    await settling;
    settling = written.then(acknowledge);
  }
  await settling;
  const measured = elapsed?.(letters);
  await reader.close();
  if (measured === undefined) throw new Error("There was nothing to take.");
  return measured;
}

/** A queue made and filled for it, and removed. */
async function withQueue({ broker, letters }: DrainBench, work: (queue: string) => Promise<Sample>): Promise<Sample> {
  const queue = `bench-${crypto.randomUUID()}.dlq`;
  const transport = rabbitmqTransport({ url: broker });
  const messages = batches(letters).flatMap((numbers) => numbers.map((n) => benchLetter(n).message));
  await Promise.all(messages.map((message) => transport.send({ name: queue }, message)));
  await transport.close();
  const model = await connect(broker, { noDelay: true });
  try {
    return await work(queue);
  } finally {
    const channel = await model.createChannel();
    for (const name of [queue, `${queue}.dlq`]) await channel.deleteQueue(name);
    await model.close();
  }
}
