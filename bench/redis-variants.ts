import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { makeMessage } from "../src/domain/message.ts";
import { redisTransport } from "../src/redis.ts";
import { serveSamples } from "./child-variant.ts";
import type { Sample } from "./suite.ts";
import { untilQuiet } from "./until-quiet.ts";
import { type Consume, handle, transportAlone, wholeRuntime, workOff } from "./work-off.ts";

const url = process.env.DLO_BENCH_REDIS_URL ?? "";
const messages = 10_000;
const atOnce = 1_000;
const prefetch = 500;
const group = "bench";
const body = Buffer.alloc(1_024, "x");

/** Where messages wait. */
interface Store {
  fill(name: string): Promise<unknown>;
  remove(name: string): Promise<unknown>;
}

/** Messages a second, from the first that was handled to the last, from a stream or queue made and filled for it. */
async function sample(consume: Consume, { fill, remove }: Store = stream): Promise<Sample> {
  const name = `bench-${process.pid}-${performance.now()}`;
  await fill(name);
  await untilQuiet();
  const measured = await workOff(consume, name, messages);
  await remove(name);
  return measured;
}

const stream: Store = {
  fill: fillStream,
  async remove(name) {
    const client = new Redis(url);
    await client.del(name);
    client.disconnect();
  },
};

/** Filled by the transport: both sides find the same. */
async function fillStream(stream: string): Promise<void> {
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

function ours(acknowledged: "delete" | "keep") {
  return { open: () => redisTransport({ url, acknowledged }), prefetch, address: (name: string) => ({ name, group }) };
}

const connection = { url, maxRetriesPerRequest: null };

const bullQueue: Store = {
  async fill(name) {
    const queue = new Queue(name, { connection });
    const job = { name: "bench", data: { body: body.toString() }, opts: { removeOnComplete: true } };
    const jobs = Array.from({ length: atOnce }, () => job);
    for (let sent = 0; sent < messages; sent += atOnce) await queue.addBulk(jobs);
    await queue.close();
  },
  async remove(name) {
    const queue = new Queue(name, { connection });
    await queue.obliterate();
    await queue.close();
  },
};

const bullWorkers =
  (count: number, concurrency: number): Consume =>
  async (name, handled) => {
    const work = () => new Worker(name, () => handle(handled), { connection, concurrency });
    const workers = Array.from({ length: count }, work);
    return () => Promise.all(workers.map((worker) => worker.close()));
  };

serveSamples({
  "ioredis alone, XREADGROUP and XACK by the batch": () => sample(bareClient(false)),
  "ioredis alone, XREADGROUP, XACK and XDEL by the batch": () => sample(bareClient(true)),
  "runtime, keeping what is acknowledged": () => sample(wholeRuntime(ours("keep"))),
  "runtime, deleting what is acknowledged": () => sample(wholeRuntime(ours("delete"))),
  "transport alone, deleting what is acknowledged": () => sample(transportAlone(ours("delete"))),
  "BullMQ, 1 worker, 50 at once, completed jobs removed": () => sample(bullWorkers(1, 50), bullQueue),
  "BullMQ, 4 workers, 50 at once each, completed jobs removed": () => sample(bullWorkers(4, 50), bullQueue),
});
