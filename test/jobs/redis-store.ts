import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import type { RedisStore } from "../../src/jobs/redis-store.ts";
import { systemHost } from "../../src/system/host.ts";
import { RedisConnection } from "../../src/transports/redis/connection.ts";

/** A Redis as the office has it for a framework. */
export function openStore(url: string): RedisStore {
  const connection = new RedisConnection({
    url,
    tls: null,
    name: "test",
    silenceMs: 10_000,
    random: systemHost.random,
    use: "jobs",
  });
  onTestFinished(() => connection.close());
  return connection;
}

/** A database of a Redis, as its framework has it and as the office has it. */
export function openDatabase(redis: { readonly url: string }, database: number) {
  const url = `${redis.url}/${database}`;
  const client = new Redis(url);
  onTestFinished(() => client.disconnect());
  return { client, store: openStore(url) };
}
