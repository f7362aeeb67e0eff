import { type ChannelModel, connect } from "amqplib";
import { makeId } from "../src/domain/ids.ts";
import type { Ledger } from "../src/ledger/ledger.ts";
import type { NewLetter } from "../src/ledger/new-letter.ts";
import { drain } from "../src/office/intake/drain.ts";
import { rabbitmqTransport } from "../src/rabbitmq.ts";
import { systemHost } from "../src/system/host.ts";
import { benchActor, benchRoom } from "./ledger-intake.ts";
import { benchLetter } from "./ledger-letters.ts";
import { batches, batchSize, copyLetters, type LedgerBench, openBenchLedger, readBefore } from "./ledger-variants.ts";
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
    sample: async () => withQueue(bench, (queue) => drained(bench, ledger, queue)),
    close: () => pool.end(),
  };
}

async function drained({ broker, letters }: DrainBench, ledger: Ledger, queue: string): Promise<Sample> {
  const transport = rabbitmqTransport({ url: broker });
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
    ...{ ledger, transport, from: { name: queue }, source: "bench", room, actor: benchActor, host: systemHost },
    signal: stop.signal,
    onProgress({ held }) {
      if (held < letters) return;
      measured = elapsed(letters);
      stop.abort();
    },
  });
  await transport.close();
  if (measured === undefined) throw new Error(`The drain of ${queue} ended before it had all of it.`);
  return measured;
}

/** Takes, writes rows that were made ready before, acknowledges: nothing is read, told apart, counted or logged. */
export async function bareVariant(bench: DrainBench): Promise<Variant> {
  const { ledger, pool } = await openBenchLedger(bench, "bare");
  return {
    name: "amqplib and COPY",
    async sample() {
      const prepared = await readBefore(bench.letters, benchSession);
      return withQueue(bench, (queue, model) => copied(model, queue, ledger, prepared));
    },
    close: () => pool.end(),
  };
}

async function copied(
  model: ChannelModel,
  queue: string,
  ledger: Ledger,
  prepared: readonly (readonly NewLetter[])[],
): Promise<Sample> {
  const channel = await model.createChannel();
  await channel.prefetch(batchSize * 4);
  const waiting = [...prepared];
  let written = Promise.resolve();
  let elapsed = stopwatch();
  let taken = 0;
  await new Promise<void>((resolve, reject) => {
    void channel.consume(queue, (message) => {
      taken += 1;
      if (taken === 1) elapsed = stopwatch();
      if (message === null || taken % batchSize !== 0) return;
      // One word acknowledges all before it, so those must be written too.
      written = Promise.all([written, copyLetters(ledger, waiting.shift() ?? [], benchSession)]).then(() =>
        channel.ack(message, true),
      );
      if (waiting.length === 0) written.then(resolve, reject);
    });
  });
  const measured = elapsed(prepared.length * batchSize);
  await channel.close();
  return measured;
}

/** A queue made and filled for it, and removed. */
async function withQueue(
  { broker, letters }: DrainBench,
  work: (queue: string, model: ChannelModel) => Promise<Sample>,
): Promise<Sample> {
  const queue = `bench-${crypto.randomUUID()}.dlq`;
  const transport = rabbitmqTransport({ url: broker });
  const messages = batches(letters).flatMap((numbers) => numbers.map((n) => benchLetter(n).message));
  await Promise.all(messages.map((message) => transport.send({ name: queue }, message)));
  await transport.close();
  const model = await connect(broker, { noDelay: true });
  try {
    return await work(queue, model);
  } finally {
    const channel = await model.createChannel();
    for (const name of [queue, `${queue}.dlq`]) await channel.deleteQueue(name);
    await model.close();
  }
}
