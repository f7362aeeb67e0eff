import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { done, makeMessage } from "../src/domain/message.ts";
import { natsTransport } from "../src/nats.ts";
import { createConsumer } from "../src/runtime/consumer.ts";
import { serveSamples } from "./child-variant.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample } from "./suite.ts";

const url = process.env.DLO_BENCH_NATS_URL ?? "";
const messages = 20_000;
const atOnce = 1_000;
const prefetch = 500;
const group = "bench";
const body = Buffer.alloc(1_024, "x");

/** Works off a subject, which is a stream's name too; `handled` is to be called for each message. Returns what ends it. */
type Consume = (subject: string, handled: () => void) => Promise<() => Promise<unknown>>;

/** Messages a second, from the first that was handled to the last, from a stream made and filled for it. */
async function sample(consume: Consume): Promise<Sample> {
  const subject = `bench-${process.pid}-${Math.round(performance.now())}`;
  await fill(subject);
  let count = 0;
  let elapsed = stopwatch();
  let over: () => void = () => {};
  const lastHandled = new Promise<void>((resolve) => {
    over = resolve;
  });
  const stop = await consume(subject, () => {
    count += 1;
    if (count === 1) elapsed = stopwatch();
    if (count === messages) over();
  });
  await lastHandled;
  const measured = elapsed(messages);
  await stop();
  const client = await connect({ servers: url });
  await (await jetstreamManager(client)).streams.delete(subject);
  await client.close();
  return measured;
}

/** Filled by the transport, which makes the stream: both sides find the same. */
async function fill(subject: string): Promise<void> {
  const transport = natsTransport({ url });
  const message = makeMessage({ body });
  for (let sent = 0; sent < messages; sent += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => transport.send({ name: subject }, message)));
  }
  await transport.close();
}

/** As the client's own documents have it: it asks for more while it handles what has come. */
const bareClient: Consume = async (subject, handled) => {
  const client = await connect({ servers: url });
  const manager = await jetstreamManager(client);
  const limits = { max_ack_pending: -1, ack_wait: 60e9 };
  await manager.consumers.add(subject, { durable_name: group, ack_policy: "explicit", ...limits });
  const consumer = await jetstream(client).consumers.get(subject, group);
  const incoming = await consumer.consume({ max_messages: prefetch });
  const working = (async () => {
    for await (const message of incoming) {
      await handle(handled);
      message.ack();
    }
  })();
  return async () => {
    await incoming.close();
    await working;
    await client.close();
  };
};

/** What every contestant awaits for each message. */
async function handle(handled: () => void): Promise<void> {
  handled();
}

const transportAlone: Consume = async (name, handled) => {
  const transport = natsTransport({ url });
  const stop = new AbortController();
  const handleAll = async () => {
    await handle(handled);
    return done;
  };
  const consumed = transport.consume({ name, group }, handleAll, {
    ...{ concurrency: prefetch, prefetch, order: "none", leaseMs: 60_000, returnDelayMs: 5_000 },
    signal: stop.signal,
  });
  return async () => {
    stop.abort();
    await consumed;
    await transport.close();
  };
};

const wholeRuntime: Consume = async (name, handled) => {
  const transport = natsTransport({ url });
  const load = { concurrency: prefetch, prefetch, decode: "bytes" } as const;
  const consumer = createConsumer({
    ...{ transport, queue: { name, group }, ...load },
    handler: () => handle(handled),
  });
  void consumer.start();
  return async () => {
    await consumer.stop();
    await transport.close();
  };
};

serveSamples({
  "@nats-io/jetstream alone, consume and ack": () => sample(bareClient),
  runtime: () => sample(wholeRuntime),
  "transport alone": () => sample(transportAlone),
});
