import { isOfficeError, type OfficeError } from "../../domain/errors.ts";
import { systemHost } from "../../system/host.ts";
import { RedisConnection } from "../../transports/redis/connection.ts";
import { compareIds, factsOf, type GroupFacts, readGroups } from "../../transports/redis/facts.ts";
import type { Inspect } from "../inspector.ts";
import { accessRefused, parseAddress, reasonOf, unreachable } from "../refusals.ts";
import { redisWiring, type ServerFacts, type StreamFacts } from "./redis-wiring.ts";

/** More streams than these are not looked at: the rest of the time is better spent on what there is to say. */
const mostStreams = 2_000;
const keysAtOnce = 1_000;

/** Streams, their groups, and the settings that decide whether Redis keeps what it confirms. Reads no message but the oldest. */
export const inspectRedis: Inspect = async ({ url }, { signal, limitMs }) => {
  const { host } = parseAddress("url", url, ["redis", "rediss"]);
  const parts = { url, tls: null, name: "dlo-doctor", silenceMs: limitMs, random: systemHost.random };
  const connection = new RedisConnection(parts);
  // Once time is over, whatever is under way ends with its connection.
  const giveUp = () => void connection.close();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return { wiring: await look(connection), remedies: {} };
  } catch (error) {
    throw refusal(error, `Redis at ${host}`);
  } finally {
    signal.removeEventListener("abort", giveUp);
    await connection.close();
  }
};

async function look(connection: RedisConnection) {
  const { names, isCut } = await readNames(connection);
  const streams: StreamFacts[] = [];
  for (const name of names) streams.push(await readStream(connection, name));
  return redisWiring({ ...(await readServer(connection)), isCut }, streams);
}

async function readNames(connection: RedisConnection): Promise<{ names: readonly string[]; isCut: boolean }> {
  const names = new Set<string>();
  let cursor = "0";
  do {
    const answer = await connection.call("SCAN", [cursor, "COUNT", keysAtOnce, "TYPE", "stream"]);
    const [next, keys] = answer as [Buffer, Buffer[]];
    for (const key of keys) names.add(String(key));
    cursor = String(next);
  } while (cursor !== "0" && names.size < mostStreams);
  return { names: [...names].sort().slice(0, mostStreams), isCut: cursor !== "0" || names.size > mostStreams };
}

async function readStream(connection: RedisConnection, name: string): Promise<StreamFacts> {
  const facts = factsOf((await connection.call("XINFO", ["STREAM", name])) as readonly unknown[]);
  const first = facts.get("first-entry") as readonly [Buffer, unknown] | null;
  const length = Number(facts.get("length"));
  // From Redis 7 on; before, nobody knows what was deleted.
  const lastDeleted = facts.get("max-deleted-entry-id");
  const groups = lastDeleted === undefined ? [] : await readGroups(connection, name);
  return {
    name,
    length,
    oldestAt: first === null ? null : Number(String(first[0]).split("-")[0]),
    deprivedGroups: groups.filter((group) => isDeprived(group, length, String(lastDeleted))).map((group) => group.name),
  };
}

/** Of a group that has read nothing yet nobody can tell whether it was there when entries were deleted. */
function isDeprived({ lastDeliveredId, unread }: GroupFacts, length: number, lastDeleted: string): boolean {
  if (lastDeliveredId === "0-0") return false;
  return (unread ?? 0) > length || compareIds(lastDeliveredId, lastDeleted) < 0;
}

async function readServer(connection: RedisConnection): Promise<Omit<ServerFacts, "isCut">> {
  const [seconds] = (await connection.call("TIME", [])) as [Buffer, Buffer];
  const info = String(await connection.call("INFO", ["server"]));
  return {
    version: /^redis_version:(\S+)/mu.exec(info)?.[1] ?? "",
    now: Number(seconds) * 1_000,
    settings: await readSettings(connection),
  };
}

/** Null where the user may not, or a provider has taken the command away. */
async function readSettings(connection: RedisConnection): Promise<ReadonlyMap<string, string> | null> {
  const settings = new Map<string, string>();
  try {
    for (const name of ["maxmemory", "maxmemory-policy", "appendonly", "appendfsync"]) {
      const answer = (await connection.call("CONFIG", ["GET", name])) as readonly unknown[];
      settings.set(name, String(factsOf(answer).get(name)));
    }
    return settings;
  } catch (error) {
    if (isOfficeError(error, "ACCESS_REFUSED") || isOfficeError(error, "INVALID_OPTION")) return null;
    throw error;
  }
}

function refusal(error: unknown, what: string): OfficeError {
  if (isOfficeError(error, "ACCESS_REFUSED")) {
    return accessRefused(what, "Check the user and the password in `url`, and its rights: +@read +info +time ~*.");
  }
  if (isOfficeError(error) && error.code !== "TRANSPORT_UNAVAILABLE") return error;
  return unreachable(what, reasonOf(error), "Check the host and the port in `url`.", error);
}
