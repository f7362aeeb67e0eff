import { Redis } from "ioredis";
import { makeMessage } from "../src/domain/message.ts";
import { redisTransport } from "../src/redis.ts";
import { serveSamples } from "./child-variant.ts";
import type { Sample } from "./suite.ts";
import { type Consume, handle, transportAlone, wholeRuntime, workOff } from "./work-off.ts";

const url = process.env.DLO_BENCH_REDIS_URL ?? "";
const messages = 10_000;
const atOnce = 1_000;
const prefetch = 500;
const group = "bench";
const body = Buffer.alloc(1_024, "x");

/** Messages a second, from the first that was handled to the last, from a stream made and filled for it. */
async function sample(consume: Consume): Promise<Sample> {
  const stream = `bench-${process.pid}-${performance.now()}`;
  await fill(stream);
  const measured = await workOff(consume, stream, messages);
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

function ours(acknowledged: "delete" | "keep") {
  return { open: () => redisTransport({ url, acknowledged }), prefetch, address: (name: string) => ({ name, group }) };
}

serveSamples({
  "ioredis alone, XREADGROUP and XACK by the batch": () => sample(bareClient(false)),
  "ioredis alone, XREADGROUP, XACK and XDEL by the batch": () => sample(bareClient(true)),
  "runtime, keeping what is acknowledged": () => sample(wholeRuntime(ours("keep"))),
  "runtime, deleting what is acknowledged": () => sample(wholeRuntime(ours("delete"))),
  "transport alone, deleting what is acknowledged": () => sample(transportAlone(ours("delete"))),
});
