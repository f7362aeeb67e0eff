import { redisScript } from "../domain/redis.ts";
import { type RedisStore, type RedisStoreOptions, redisStore } from "./redis-store.ts";
import type { SharedState } from "./shared-state.ts";

const readScript = redisScript(`
local time = redis.call('TIME')
local document = redis.call('HMGET', KEYS[1], 'version', 'value')
return { time[1] * 1000 + math.floor(time[2] / 1000), document[1], document[2] }`);

/** ARGV: the version it must have, empty for none; the value. */
const replaceScript = redisScript(`
local version = redis.call('HGET', KEYS[1], 'version')
if (version or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', (version or 0) + 1, 'value', ARGV[2])
return 1`);

type Document = readonly [now: number, version: Buffer | null, value: Buffer | null];

/** Documents that all processes on one Redis share. */
export function redisSharedState(options: RedisStoreOptions): SharedState {
  return redisDocuments(redisStore(options));
}

/** The same over any connection that runs scripts. */
export function redisDocuments(store: Pick<RedisStore, "prefix" | "run">): SharedState {
  const keyOf = (name: string) => `${store.prefix}:shared:${name}`;
  return {
    async read(name) {
      const [now, version, value] = (await store.run(readScript, keyOf(name), [])) as Document;
      if (version === null || value === null) return { value: undefined, version: null, now };
      return { value: JSON.parse(value.toString()), version: Number(version), now };
    },
    async replace(name, version, value) {
      const text = JSON.stringify(value) ?? "null";
      return (await store.run(replaceScript, keyOf(name), [version === null ? "" : String(version), text])) === 1;
    },
  };
}
