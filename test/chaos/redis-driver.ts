import { Redis } from "ioredis";
import type { Address } from "../../src/domain/message.ts";
import { systemHost } from "../../src/system/host.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import { decodeEntry } from "../../src/transports/redis/entry-codec.ts";
import { asRedis, redisCapabilities, redisLink, redisTransportDefaults } from "../../src/transports/redis/transport.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRedisServer, startRedis } from "../servers/redis.ts";
import { armedLink } from "./armed-link.ts";
import type { BrokerDriver, Resting } from "./broker-driver.ts";
import { failpointsOf } from "./failpoint.ts";

export const redisDriver: BrokerDriver = {
  label: "Redis",
  missing: noRedisServer ?? noPostgres,
  capabilities: redisCapabilities,
  queue: (name) => ({ name }),

  /** Steps are what the transport asks of its link, each of them one script. */
  failpoints: failpointsOf({
    take: ["during", "after"],
    extend: ["before", "after"],
    charge: ["before", "during", "after"],
    acknowledge: ["before", "during", "after"],
    replace: ["before", "during", "after"],
    move: ["before", "during", "after"],
  }),

  async connect(url, failpoint) {
    const link = redisLink(url, { ...redisTransportDefaults, ...impatient });
    const transport = pullTransport(armedLink(link, failpoint), { ...asRedis, ...impatient });
    return { transport, close: () => transport.close() };
  },

  async start() {
    const server = await startRedis();
    const client = new Redis(server.url);
    client.on("error", () => {});
    return {
      url: server.url,
      booksUrl: undefined,
      kill: () => server.kill(),
      start: () => server.start(),
      prepare: async () => {},
      // An entry is in its stream until it is done, also while it waits for a retry.
      depth: ({ name }) => client.xlen(name),
      resting: (queue) => restingIn(client, queue),
      async close() {
        client.disconnect();
        await server.close();
      },
    };
  },
};

/** That a process was stopped, or that nobody answers any more, should show within a test. */
const impatient = { answerWithinMs: 3_000, pollMs: 200, host: systemHost };

async function restingIn(client: Redis, { name }: Address): Promise<readonly Resting[]> {
  const resting: Resting[] = [];
  for (const stream of [name, ...(await client.keys(`${name}.*`))]) {
    const entries = await client.xrangeBuffer(stream, "-", "+");
    resting.push(...entries.map(([, fields]) => ({ queue: stream, message: decodeEntry(fields) })));
  }
  return resting;
}
