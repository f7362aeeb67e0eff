import { unknownAnswer } from "../unknown-answer.ts";
import type { RedisConnection } from "./connection.ts";

/** A group as Redis knows it. */
export interface GroupFacts {
  readonly name: string;
  readonly lastDeliveredId: string;
  /** Read and not acknowledged. */
  readonly pending: number;
  /** Not read yet; null where Redis cannot tell. */
  readonly unread: number | null;
}

export async function readGroups(connection: RedisConnection, stream: string): Promise<readonly GroupFacts[]> {
  const groups = (await connection.call("XINFO", ["GROUPS", stream])) as readonly (readonly unknown[])[];
  return groups.map((group) => {
    const facts = factsOf(group);
    if (!facts.has("name") || !facts.has("last-delivered-id")) throw unknownAnswer("Redis", "XINFO GROUPS", groups);
    const lag = facts.get("lag");
    return {
      name: String(facts.get("name")),
      lastDeliveredId: String(facts.get("last-delivered-id")),
      pending: Number(facts.get("pending")),
      unread: typeof lag === "number" ? lag : null,
    };
  });
}

/** Names and values by turns, as Redis lists them. */
export function factsOf(list: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(list.flatMap((name, index) => (index % 2 === 0 ? [[String(name), list[index + 1]] as const] : [])));
}

/** Which of these keys are streams. */
export async function streamsAmong(
  connection: RedisConnection,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const types = await Promise.all(names.map((name) => connection.call("TYPE", [name])));
  return new Set(names.filter((_, index) => String(types[index]) === "stream"));
}

/** Below 0 if the entry `a` was added before `b`. */
export function compareIds(a: string, b: string): number {
  const [[aMs = 0n, aSeq = 0n], [bMs = 0n, bSeq = 0n]] = [a, b].map((id) => id.split("-").map(BigInt)) as [
    bigint[],
    bigint[],
  ];
  if (aMs !== bMs) return aMs < bMs ? -1 : 1;
  return aSeq === bSeq ? 0 : aSeq < bSeq ? -1 : 1;
}
