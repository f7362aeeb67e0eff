import { askOnce } from "../domain/ask-once.ts";
import type { Address } from "../domain/message.ts";
import { queueNames } from "../domain/wire.ts";
import { redisDocuments } from "../stores/redis-shared-state.ts";
import { redisStoreDefaults } from "../stores/redis-store.ts";
import { systemHost } from "../system/host.ts";
import { RedisConnection } from "../transports/redis/connection.ts";
import { compareIds, factsOf, type GroupFacts, readGroups, streamsAmong } from "../transports/redis/facts.ts";
import { markedSends } from "../transports/redis/marked-sends.ts";
import { redisTransport, redisTransportDefaults } from "../transports/redis/transport.ts";
import type { OpenedSource, OpenParts } from "./opened-source.ts";
import type { QueueCondition } from "./queue-condition.ts";
import { peekRedis } from "./redis-peek.ts";
import { markedLine, type SendLine } from "./send-line.ts";

const officeGroup = "dlo-office";
const name = "dlo-office";
const silenceMs = 10_000;

/** Streams and groups. The office reads dead letters as a group of its own: nobody who reads them too loses any. */
export async function openRedis({ url }: OpenParts): Promise<OpenedSource> {
  const transport = redisTransport({ url, group: officeGroup, name });
  const connection = new RedisConnection({ url, tls: null, name, silenceMs, random: systemHost.random });
  return {
    transport,
    group: null,
    addressOf: (queue) => addressOf(connection, queue),
    line: (replay) => redisLine(connection, replay),
    look: (queue) => look(connection, queue),
    async watch(queue) {
      const address = await addressOf(connection, queue);
      const last = address === null ? null : await lastIdOf(connection, address.name);
      return async () => address !== null && last !== null && (await isDone(connection, address, last));
    },
    peek: (queue, limits) => peekRedis(connection, queue, limits, officeGroup),
    keepsDrained: (queue, position) => hasEntry(connection, queue, position),
    shared: redisDocuments({
      prefix: redisStoreDefaults.prefix,
      run: (script, key, args) => connection.run(script, [key], args),
    }),
    countBeside: async (queue) => Number(await connection.call("XLEN", [queueNames.parked(queue)])),
    async close() {
      await Promise.all([transport.close(), connection.close()]);
    },
  };
}

/** To streams, whose names are looked up once for all sends of a replay. */
export function redisLine(connection: RedisConnection, replay: Uint8Array): SendLine {
  const { send, findOrBar } = markedSends(connection, replay);
  const streams = new Map<string, Promise<string>>();
  const streamOf = (queue: string) =>
    askOnce(streams, queue, async () => (await addressOf(connection, queue))?.name ?? queue);
  return markedLine({ findOrBar, send: async (queue, message, mark) => send(await streamOf(queue), message, mark) });
}

/** A queue of ours is a stream and its group, `orders.billing`: the longest beginning that is a stream is the stream. */
async function addressOf(connection: RedisConnection, queue: string): Promise<Address | null> {
  const beginnings = [...queue.matchAll(/\./gu)].map(({ index }) => queue.slice(0, index)).reverse();
  const streams = await streamsAmong(connection, [queue, ...beginnings]);
  const stream = [queue, ...beginnings].find((each) => streams.has(each));
  if (stream === undefined) return null;
  return stream === queue ? { name: stream } : { name: stream, group: queue.slice(stream.length + 1) };
}

/** Whoever dead-letters on Redis does so itself, as it did with the letter: where it went once it goes again. */
async function look(connection: RedisConnection, queue: string): Promise<QueueCondition> {
  const address = await addressOf(connection, queue);
  if (address === null) return { address, keepsNextDeath: null, keepsOrder: null, otherGroups: [], lag: null };
  const groups = await readGroups(connection, address.name);
  const reader = readerOf(address, groups);
  const others = groups.map((group) => group.name).filter((group) => group !== (reader?.name ?? address.group));
  return {
    address,
    keepsNextDeath: true,
    // Each entry goes to whichever consumer of the group asks next.
    keepsOrder: "never",
    otherGroups: others,
    lag: reader === undefined ? null : await waitingFor(connection, address.name, reader),
  };
}

/** The group that is meant: the one named, ours where none is, or the only one there is. */
function readerOf({ group }: Address, groups: readonly GroupFacts[]): GroupFacts | undefined {
  const named = groups.find((each) => each.name === (group ?? redisTransportDefaults.group));
  return named ?? (group === undefined && groups.length === 1 ? groups[0] : undefined);
}

async function waitingFor(
  connection: RedisConnection,
  stream: string,
  { pending, unread }: GroupFacts,
): Promise<number> {
  return unread === null ? Number(await connection.call("XLEN", [stream])) : pending + unread;
}

/** What the office has read is deleted, unless another group reads the stream too. */
async function hasEntry(connection: RedisConnection, queue: string, id: string | null): Promise<boolean> {
  const address = id === null ? null : await addressOf(connection, queue);
  if (address === null) return false;
  const entries = await connection.call("XRANGE", [address.name, id ?? "-", id ?? "+", "COUNT", 1]);
  return Array.isArray(entries) && entries.length > 0;
}

/** The id of the last entry that was ever added. */
async function lastIdOf(connection: RedisConnection, stream: string): Promise<string> {
  const facts = factsOf((await connection.call("XINFO", ["STREAM", stream])) as readonly unknown[]);
  return String(facts.get("last-generated-id"));
}

/** All up to that entry was read and acknowledged; one that waits for a retry is pending until it is done. */
async function isDone(connection: RedisConnection, address: Address, lastId: string): Promise<boolean> {
  const reader = readerOf(address, await readGroups(connection, address.name));
  if (reader === undefined || compareIds(reader.lastDeliveredId, lastId) < 0) return false;
  const pending = await connection.call("XPENDING", [address.name, reader.name, "-", lastId, 1]);
  return Array.isArray(pending) && pending.length === 0;
}
