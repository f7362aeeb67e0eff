import { type ChannelModel, connect } from "amqplib";
import { done, makeMessage } from "../src/domain/message.ts";
import { rabbitmqTransport } from "../src/rabbitmq.ts";
import { createConsumer } from "../src/runtime/consumer.ts";
import { serveSamples } from "./child-variant.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample } from "./suite.ts";

const url = process.env.DLO_BENCH_RABBITMQ_URL ?? "";
const messages = 20_000;
const prefetch = 250;
const body = Buffer.alloc(1_024, "x");

/** Works off a queue; `handled` is to be called for each message. Returns what ends it. */
type Consume = (queue: string, handled: () => void) => Promise<() => Promise<unknown>>;

/** Messages a second, from the first that was handled to the last, from a queue made and filled for it. */
async function sample(consume: Consume): Promise<Sample> {
  const queue = `bench-${process.pid}-${performance.now()}`;
  await fill(queue);
  let count = 0;
  let elapsed = stopwatch();
  let over: () => void = () => {};
  const lastHandled = new Promise<void>((resolve) => {
    over = resolve;
  });
  const stop = await consume(queue, () => {
    count += 1;
    if (count === 1) elapsed = stopwatch();
    if (count === messages) over();
  });
  await lastHandled;
  const measured = elapsed(messages);
  await stop();
  await withModel(async (model) => {
    const channel = await model.createChannel();
    for (const name of [queue, `${queue}.dlq`]) await channel.deleteQueue(name);
  });
  return measured;
}

/** The queue as the transport makes it, filled by it as well: both sides find the same. */
async function fill(queue: string): Promise<void> {
  const transport = rabbitmqTransport({ url });
  const message = makeMessage({ body });
  await Promise.all(Array.from({ length: messages }, () => transport.send({ name: queue }, message)));
  await transport.close();
}

async function withModel(work: (model: ChannelModel) => Promise<unknown>): Promise<void> {
  const model = await connect(url, { noDelay: true });
  await work(model);
  await model.close();
}

const bareClient: Consume = async (queue, handled) => {
  const model = await connect(url, { noDelay: true });
  const channel = await model.createChannel();
  await channel.prefetch(prefetch);
  await channel.consume(queue, (message) => {
    if (message !== null) void handle(handled).then(() => channel.ack(message));
  });
  return async () => {
    // The last one is still to be acknowledged.
    await new Promise((resolve) => setImmediate(resolve));
    await model.close();
  };
};

/** What every contestant awaits for each message. */
async function handle(handled: () => void): Promise<void> {
  handled();
}

const transportAlone =
  (acknowledge: "coalesced" | "each"): Consume =>
  async (name, handled) => {
    const transport = rabbitmqTransport({ url, acknowledge });
    const stop = new AbortController();
    const handleAll = async () => {
      await handle(handled);
      return done;
    };
    const consumed = transport.consume({ name }, handleAll, {
      ...{ concurrency: prefetch, prefetch, order: "none", leaseMs: 60_000, returnDelayMs: 5_000 },
      signal: stop.signal,
    });
    return async () => {
      stop.abort();
      await consumed;
      await transport.close();
    };
  };

const wholeRuntime =
  (acknowledge: "coalesced" | "each"): Consume =>
  async (queue, handled) => {
    const transport = rabbitmqTransport({ url, acknowledge });
    const load = { concurrency: prefetch, prefetch };
    const consumer = createConsumer({ transport, queue, decode: "bytes", ...load, handler: () => handle(handled) });
    void consumer.start();
    return async () => {
      await consumer.stop();
      await transport.close();
    };
  };

serveSamples({
  "amqplib alone, acknowledging each": () => sample(bareClient),
  "transport alone, acknowledging each": () => sample(transportAlone("each")),
  "transport alone, coalesced": () => sample(transportAlone("coalesced")),
  "runtime, acknowledging each": () => sample(wholeRuntime("each")),
  "runtime, coalesced": () => sample(wholeRuntime("coalesced")),
});
