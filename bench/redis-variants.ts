import { Redis } from "ioredis";
import { done, makeMessage } from "../src/domain/message.ts";
import { redisTransport } from "../src/redis.ts";
import { createConsumer } from "../src/runtime/consumer.ts";
import { serveSamples } from "./child-variant.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample } from "./suite.ts";

const url = process.env.DLO_BENCH_REDIS_URL ?? "";
const messages = 10_000;
const atOnce = 1_000;
const prefetch = 500;
const group = "bench";
const body = Buffer.alloc(1_024, "x");

/** Works off a stream; `handled` is to be called for each message. Returns what ends it. */
type Consume = (stream: string, handled: () => void) => Promise<() => Promise<unknown>>;

/** Messages a second, from the first that was handled to the last, from a stream made and filled for it. */
async function sample(consume: Consume): Promise<Sample> {
  const stream = `bench-${process.pid}-${performance.now()}`;
  await fill(stream);
  let count = 0;
  let elapsed = stopwatch();
  let over: () => void = () => {};
  const lastHandled = new Promise<void>((resolve) => {
    over = resolve;
  });
  const stop = await consume(stream, () => {
    count += 1;
    if (count === 1) elapsed = stopwatch();
    if (count === messages) over();
  });
  await lastHandled;
  const measured = elapsed(messages);
  await stop();
  const client = new Redis(url);
  await client.del(stream);
  client.disconnect();
  return measured;
}

/** Filled by the transport: both sides find the same. */
async function fill(stream: string): Promise<void> {
  const transport = redisTransport({ url });
  const message = makeMessage({ body });
  for (let sent = 0; sent < messages; sent += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => transport.send({ name: stream }, message)));
  }
  await transport.close();
}

/** Reads the next batch while it handles one, as fast as a careful program of a few lines can. */
const bareClient =
  (deletes: boolean): Consume =>
  async (stream, handled) => {
    const client = new Redis(url);
    await client.xgroup("CREATE", stream, group, "0");
    const read = () =>
      client.callBuffer("XREADGROUP", ["GROUP", group, "bare", "COUNT", prefetch / 2, "STREAMS", stream, ">"]);
    const settle = async (ids: string[]) => {
      const acknowledging = client.xack(stream, group, ...ids);
      await Promise.all([acknowledging, deletes ? client.xdel(stream, ...ids) : null]);
    };
    const working = (async () => {
      let settling: Promise<unknown> = Promise.resolve();
      for (let answer = read(); ; ) {
        const entries = entriesOf(await answer);
        if (entries.length === 0) break;
        answer = read();
        await Promise.all(entries.map(() => handle(handled)));
        await settling;
        settling = settle(entries.map(([id]) => String(id)));
      }
      await settling;
    })();
    return async () => {
      await working;
      client.disconnect();
    };
  };

type Entry = readonly [id: Buffer, fields: readonly Buffer[]];

/** Streams and their entries come by turns. */
function entriesOf(answer: unknown): readonly Entry[] {
  return (answer as readonly [Buffer, readonly Entry[]] | null)?.[1] ?? [];
}

/** What every contestant awaits for each message. */
async function handle(handled: () => void): Promise<void> {
  handled();
}

const transportAlone: Consume = async (name, handled) => {
  const transport = redisTransport({ url });
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

const wholeRuntime =
  (acknowledged: "delete" | "keep"): Consume =>
  async (name, handled) => {
    const transport = redisTransport({ url, acknowledged });
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
  "ioredis alone, XREADGROUP and XACK by the batch": () => sample(bareClient(false)),
  "ioredis alone, XREADGROUP, XACK and XDEL by the batch": () => sample(bareClient(true)),
  "runtime, keeping what is acknowledged": () => sample(wholeRuntime("keep")),
  "runtime, deleting what is acknowledged": () => sample(wholeRuntime("delete")),
  "transport alone, deleting what is acknowledged": () => sample(transportAlone),
});
