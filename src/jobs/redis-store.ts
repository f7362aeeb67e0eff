import type { RedisArgument, RedisScript } from "../domain/redis.ts";

/** The little of a connection to Redis that a framework on it needs. */
export interface RedisStore {
  /** Resolves to numbers, buffers, null and lists of these. */
  call(command: string, args: RedisArgument[]): Promise<unknown>;
  run(script: RedisScript, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown>;
}

/** A hash as its fields; empty where there is none. */
export async function readHash(store: RedisStore, key: string): Promise<ReadonlyMap<string, Buffer>> {
  const answer = (await store.call("HGETALL", [key])) as readonly Buffer[];
  return new Map(inPairs(answer).map(([name, value]) => [String(name), value]));
}

interface Scored {
  readonly member: Buffer;
  readonly score: string;
}

/** Members of a sorted set from that score on, the lowest first. */
export async function readScored(
  store: RedisStore,
  key: string,
  { from, limit }: { readonly from: string | null; readonly limit: number },
): Promise<readonly Scored[]> {
  const range: RedisArgument[] = [key, from ?? "-inf", "+inf", "WITHSCORES", "LIMIT", 0, limit];
  const answer = (await store.call("ZRANGEBYSCORE", range)) as readonly (Buffer | readonly Buffer[])[];
  // By version 3 of the protocol they are pairs, before it one after the other.
  return inPairs(answer.flat()).map(([name, score]) => ({ member: name, score: String(score) }));
}

/** A flat answer of names and values. */
export function inPairs(values: readonly Buffer[]): readonly (readonly [Buffer, Buffer])[] {
  const pairs: (readonly [Buffer, Buffer])[] = [];
  for (let index = 0; index + 1 < values.length; index += 2) {
    const [first, second] = values.slice(index, index + 2);
    if (first !== undefined && second !== undefined) pairs.push([first, second]);
  }
  return pairs;
}

/** More keys than these are not looked at. */
const mostKeys = 10_000;
const keysAtOnce = 1_000;

/** Names of keys like that, as `SCAN` spells patterns. */
export async function keysLike(store: RedisStore, pattern: string): Promise<readonly string[]> {
  const names = new Set<string>();
  let cursor = "0";
  do {
    const answer = await store.call("SCAN", [cursor, "MATCH", pattern, "COUNT", keysAtOnce]);
    const [next, keys] = answer as [Buffer, Buffer[]];
    for (const key of keys) names.add(String(key));
    cursor = String(next);
  } while (cursor !== "0" && names.size < mostKeys);
  return [...names].sort();
}

/** A name as it stands in a pattern of `SCAN`. */
export function escaped(name: string): string {
  return name.replaceAll(/[\\*?[\]^]/g, "\\$&");
}

/** Milliseconds since 1970, by its own clock. */
export async function redisTime(store: RedisStore): Promise<number> {
  const [seconds, micros] = (await store.call("TIME", [])) as readonly Buffer[];
  return Number(seconds) * 1_000 + Number(micros) / 1_000;
}

export async function redisVersion(store: RedisStore): Promise<string> {
  const info = String(await store.call("INFO", ["server"]));
  return /^redis_version:(\S+)/mu.exec(info)?.[1] ?? "";
}

/** Lengths of lists, sorted sets and hashes, added up. */
export async function totalOf(
  store: RedisStore,
  counts: readonly (readonly ["LLEN" | "ZCARD" | "HLEN", string])[],
): Promise<number> {
  const numbers = await Promise.all(counts.map(([command, key]) => store.call(command, [key])));
  return numbers.reduce<number>((sum, each) => sum + Number(each), 0);
}
