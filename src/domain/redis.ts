/** What is asked of a client of Redis. A `Redis` of the package ioredis is one. */
export interface RedisCommands {
  /** Resolves to numbers, buffers, null and lists of these. */
  callBuffer(command: string, args: RedisArgument[]): Promise<unknown>;
}

export type RedisArgument = string | Buffer | number;

/** Something that Redis does in one step. What it did before one of its commands was refused stays done. */
export interface RedisScript {
  /** Lua. */
  readonly text: string;
  /** What Redis calls it; known once it was loaded. */
  digest: string | null;
}

export function redisScript(text: string): RedisScript {
  return { text, digest: null };
}

/** Runs a script by its digest. A server that has forgotten it (restarted, flushed, another one) is told it again. */
export async function runRedisScript(
  client: RedisCommands,
  script: RedisScript,
  keys: readonly string[],
  args: readonly RedisArgument[],
): Promise<unknown> {
  const rest = [keys.length, ...keys, ...args];
  script.digest ??= String(await client.callBuffer("SCRIPT", ["LOAD", script.text]));
  try {
    return await client.callBuffer("EVALSHA", [script.digest, ...rest]);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    return client.callBuffer("EVAL", [script.text, ...rest]);
  }
}

/** Nothing was done: Redis looks for the script before it runs anything. */
function isForgotten(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
