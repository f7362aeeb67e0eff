import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { type Delivery, done, type Verdict } from "../../../src/domain/message.ts";
import { redisTransport } from "../../../src/redis.ts";
import type { RedisLink } from "../../../src/transports/redis/link.ts";
import type { readTaken } from "../../../src/transports/redis/taken.ts";
import { redisLink, redisTransportDefaults } from "../../../src/transports/redis/transport.ts";
import type { ConsumeOptions, Incident, Transport } from "../../../src/transports/transport.ts";

export type Taken = ReturnType<typeof readTaken>[number];

/** What a test works with; all is closed when it is over. */
export function openClient(url: string): Redis {
  const client = new Redis(url);
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

export function openLink(url: string, settings: Partial<typeof redisTransportDefaults> = {}): RedisLink {
  const link = redisLink(url, { ...redisTransportDefaults, ...settings });
  onTestFinished(() => link.close());
  return link;
}

export function openTransport(url: string, options: Partial<typeof redisTransportDefaults> = {}): Transport {
  const transport = redisTransport({ url, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

export function consume(
  transport: Transport,
  name: string,
  handle: (delivery: Delivery) => Verdict | Promise<Verdict> = () => done,
  options: Partial<ConsumeOptions> = {},
) {
  const bodies: string[] = [];
  const incidents: Incident[] = [];
  const stop = new AbortController();
  const over = transport.consume(
    { name },
    async (delivery) => {
      bodies.push(Buffer.from(delivery.message.body).toString());
      return handle(delivery);
    },
    {
      ...{ concurrency: 10, prefetch: 50, order: "none", leaseMs: 30_000, returnDelayMs: 100 },
      ...{ signal: stop.signal, report: (incident) => incidents.push(incident), ...options },
    },
  );
  return {
    bodies,
    over,
    kinds: () => new Set(incidents.map(({ kind }) => kind)),
    async stop() {
      stop.abort();
      await over;
    },
  };
}
