import { type Host, within } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { requireNumber, requireOption, withDefaults } from "../domain/options.ts";
import { type RedisArgument, type RedisCommands, type RedisScript, runRedisScript } from "../domain/redis.ts";
import { systemHost } from "../system/host.ts";

export interface RedisStoreOptions {
  /** A `Redis` of the package ioredis. Closing it is up to you. */
  readonly client: RedisCommands;
  /** What the names of its keys begin with. @default "dlo" */
  readonly prefix?: string;
  /**
   * How long Redis may take to answer, in milliseconds; after that the store counts as away. A client waits much longer by
   * itself, and a consumer with it. @default 5_000
   */
  readonly answerWithinMs?: number;
  /** Clock and ids. Leases and windows go by Redis's own clock all the same. @default the host's */
  readonly host?: Host;
}

type Settings = Omit<RedisStoreOptions, "client">;

export const redisStoreDefaults: Required<Settings> = { prefix: "dlo", answerWithinMs: 5_000, host: systemHost };

/** A Redis that small shared state is kept in. */
export interface RedisStore {
  readonly prefix: string;
  readonly host: Host;
  /** One script over one key. */
  run(script: RedisScript, key: string, args: readonly RedisArgument[]): Promise<unknown>;
}

export function redisStore({ client, ...options }: RedisStoreOptions): RedisStore {
  const { prefix, answerWithinMs, host } = withDefaults<Settings>(redisStoreDefaults, options);
  requireOption(typeof client?.callBuffer === "function", "client", "a Redis of the package ioredis");
  requireOption(typeof prefix === "string", "prefix", "text", prefix);
  requireNumber("answerWithinMs", answerWithinMs, { min: 1 });
  const tooLate = () => {
    throw new OfficeError("STORE_UNAVAILABLE", `Redis did not answer within ${answerWithinMs} ms.`);
  };
  return {
    prefix,
    host,
    run: (script, key, args) =>
      within(host.clock, answerWithinMs, runRedisScript(client, script, [key], args), tooLate),
  };
}
