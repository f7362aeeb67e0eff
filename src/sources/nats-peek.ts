import { meantByAdvisory } from "../transports/nats/advisories.ts";
import type { NatsConnection } from "../transports/nats/connection.ts";
import { advisorySubjects, consumersOf, orNull, streamOf } from "../transports/nats/facts.ts";
import { decodeMessage } from "../transports/nats/message-codec.ts";
import { isBeside, ourSubjects, splitName, wordOf } from "../transports/nats/names.ts";
import type { Place } from "../transports/nats/topology.ts";
import { noSuchQueue, type Peeked, type PeekLimits, peeked } from "./peek.ts";

interface NatsNames {
  readonly group: string;
  /** What our own stream is called. */
  readonly stream: string;
}

/** By their numbers in the stream, which no consumer notices. No stream is made for it, and no consumer. */
export async function peekNats(
  connection: NatsConnection,
  queue: string,
  limits: PeekLimits,
  names: NatsNames,
): Promise<readonly Peeked[]> {
  const place = await placeThere(connection, queue, names);
  if (place === null) throw noSuchQueue(queue);
  const found: Peeked[] = [];
  let seq = await firstUntaken(connection, place, names);
  while (found.length < limits.most && !limits.signal.aborted) {
    const wanted = { seq, next_by_subj: place.subject };
    const stored = await orNull(connection.manage((manager) => manager.streams.getMessage(place.stream, wanted)));
    if (stored === null) break;
    const { message, again } = decodeMessage(stored, place.subject);
    const isAdvisory = queue.startsWith(advisorySubjects.all);
    const meant = isAdvisory ? await meantByAdvisory(connection, message) : message;
    found.push(peeked(again?.position ?? `${place.stream}:${stored.seq}`, meant, limits));
    seq = stored.seq + 1;
  }
  return found;
}

/** Null: there is no such stream, or none with that subject. */
async function placeThere(
  connection: NatsConnection,
  queue: string,
  { stream: ours }: NatsNames,
): Promise<Place | null> {
  const { stream: named, subject } = splitName(queue);
  const info = (stream: string) => orNull(connection.manage((manager) => manager.streams.info(stream)));
  if (named !== null) return (await info(named)) === null ? null : { stream: named, subject };
  const found = await streamOf(connection, subject);
  if (isBeside(queue) && !found?.config.subjects.includes(subject))
    return (await info(ours)) === null ? null : { stream: ours, subject: ourSubjects.queue(queue) };
  return found === null ? null : { stream: found.config.name, subject };
}

/** Streams that keep what was acknowledged have all of it still: the office's own consumer says how far it has come. */
async function firstUntaken(connection: NatsConnection, place: Place, { group }: NatsNames): Promise<number> {
  const names = [wordOf(group), wordOf(`${group}.${place.subject}`)];
  const own = (await consumersOf(connection, place.stream)).filter(({ name }) => names.includes(name));
  const reading = own.find(({ config: { filter_subject: filter = "" } }) => filter === "" || filter === place.subject);
  return (reading?.ack_floor.stream_seq ?? 0) + 1;
}
