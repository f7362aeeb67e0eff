import { Redis } from "ioredis";
import { type BareClient, batchSize, inParts } from "./bare-client.ts";

type Entry = readonly [id: Buffer, fields: readonly Buffer[]];

const group = "bench";

/** Streams: XREADGROUP, then XACK and XDEL by the batch. */
export async function bareRedis(url: string): Promise<BareClient> {
  const client = new Redis(url);
  return {
    async read(queue) {
      await client.xgroup("CREATE", queue, group, "0");
      return {
        async next() {
          const ask = ["GROUP", group, "bare", "COUNT", batchSize, "STREAMS", queue, ">"];
          const answer = (await client.callBuffer("XREADGROUP", ask)) as readonly [Buffer, readonly Entry[]] | null;
          const ids = (answer?.[1] ?? []).map(([id]) => String(id));
          const acknowledge = () => Promise.all([client.xack(queue, group, ...ids), client.xdel(queue, ...ids)]);
          return { count: ids.length, acknowledge };
        },
        close: async () => {},
      };
    },
    async send(queue, messages) {
      for (const part of inParts(messages, batchSize)) {
        await Promise.all(
          part.map(({ body, headers }) => client.xadd(queue, "*", "body", body, "headers", JSON.stringify(headers))),
        );
      }
    },
    close: async () => client.disconnect(),
  };
}
