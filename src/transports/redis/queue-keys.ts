import type { Address } from "../../domain/message.ts";
import { requireOption } from "../../domain/options.ts";

/** A queue on Redis: a stream, the group that reads it, and what we keep beside the stream for that group. */
export interface RedisQueue {
  readonly stream: string;
  readonly group: string;
  /** Of the messages that are out or waiting, and of the batches: when each lease is over, or each is due. A sorted set. */
  readonly due: string;
  /** Of the same messages, except those of a batch: who has them and how often they were handed over. A hash. */
  readonly state: string;
  /** What became of those that are no longer as their stream has them. A hash. */
  readonly changed: string;
  /** Of messages that were read together: which they are, and how many are left. A hash. */
  readonly leases: string;
  /** What will be added to the stream, for all its groups: when, and what. A sorted set and a hash. */
  readonly delayed: string;
  readonly delayedEntries: string;
}

/** The braces keep all keys of a stream together with it, where keys are spread over servers. */
export function redisQueue({ name, group }: Address, defaultGroup: string): RedisQueue {
  requireName("queue", name);
  const reader = group ?? defaultGroup;
  requireName("group", reader);
  const ofStream = `dlo:{${name.replaceAll("%", "%25").replaceAll("}", "%7D")}}`;
  const ofGroup = `${ofStream}:group:${reader}`;
  return {
    stream: name,
    group: reader,
    due: `${ofGroup}:due`,
    state: `${ofGroup}:state`,
    changed: `${ofGroup}:changed`,
    leases: `${ofGroup}:leases`,
    delayed: `${ofStream}:delayed`,
    delayedEntries: `${ofStream}:delayed-entries`,
  };
}

/** What every script about a queue's messages is told first. */
export function keysOf({ stream, due, state, changed, leases }: RedisQueue): readonly string[] {
  return [stream, due, state, changed, leases];
}

/** A lone surrogate would become another name on its way to the server. */
function requireName(option: string, name: unknown): void {
  const fits = typeof name === "string" && name !== "" && Buffer.from(name).toString() === name;
  requireOption(fits, option, "a name that is Unicode text", name);
}
