import type { Address } from "../domain/message.ts";
import { queueNames } from "../domain/wire.ts";
import { withAdvisories } from "../transports/nats/advisories.ts";
import { NatsConnection } from "../transports/nats/connection.ts";
import {
  advisorySubjects,
  type ConsumerInfo,
  consumersOf,
  covers,
  orNull,
  streamOf,
  unsettledIn,
} from "../transports/nats/facts.ts";
import { isBeside, ourSubjects, wordOf } from "../transports/nats/names.ts";
import { type Place, Topology } from "../transports/nats/topology.ts";
import { natsTransport, natsTransportDefaults } from "../transports/nats/transport.ts";
import { natsLine } from "./nats-line.ts";
import { peekNats } from "./nats-peek.ts";
import type { OpenedSource, OpenParts } from "./opened-source.ts";
import type { QueueCondition } from "./queue-condition.ts";

const officeGroup = "dlo-office";
const name = "dlo-office";

/** Where things are at one server, for somebody who makes no stream of anybody's subject. */
export interface NatsView {
  readonly connection: NatsConnection;
  readonly topology: Topology;
}

/** Subjects and groups. The office reads dead letters as a group of its own: nobody who reads them too loses any. */
export async function openNats({ url, clock }: OpenParts): Promise<OpenedSource> {
  const view = natsView(url);
  const { connection } = view;
  const transport = withAdvisories(natsTransport({ url, group: officeGroup, name, topology: "check" }), connection);
  return {
    transport,
    group: null,
    addressOf: (queue) => addressOf(view, queue),
    line: (replay) => natsLine(connection, { replay, clock, placeOf: (queue) => placeOf(view, queue) }),
    look: (queue) => look(view, queue),
    watch: (queue) => watch(view, queue),
    countBeside: (queue) => countIn(connection, [ourSubjects.queue(queueNames.parked(queue))]),
    peek: (queue, limits) =>
      peekNats(connection, queue, limits, { group: officeGroup, stream: natsTransportDefaults.stream }),
    keepsDrained: (_queue, position) => hasMessage(connection, position),
    async close() {
      await Promise.all([transport.close(), connection.close()]);
    },
  };
}

export function natsView(url: string): NatsView {
  const { answerWithinMs, stream, replicas, ackWaitMs, startFrom } = natsTransportDefaults;
  const connection = new NatsConnection({ url, tls: null, credentials: null, name, answerWithinMs });
  const topology = new Topology({
    ...{ connection, group: officeGroup, stream, replicas, ackWaitMs, startFrom, makes: false },
  });
  return { connection, topology };
}

/** Where a letter goes that is sent back: for whoever reads there. */
export async function placeOf(view: NatsView, queue: string): Promise<Place> {
  const address = await addressOf(view, queue);
  return view.topology.place(address ?? { name: queue });
}

/**
 * A queue of ours is a subject and its group, `orders.paid.billing`: the longest beginning that the rest is a group of. If
 * there is no such group, it is a subject.
 */
async function addressOf(view: NatsView, queue: string): Promise<Address | null> {
  if (isBeside(queue)) return { name: queue };
  const dots = [...queue.matchAll(/\./gu)].map(({ index }) => index).reverse();
  for (const dot of dots) {
    const address = { name: queue.slice(0, dot), group: queue.slice(dot + 1) };
    if ((await readerOf(view, address)) !== null) return address;
  }
  if ((await streamOf(view.connection, queue)) !== null) return { name: queue };
  return null;
}

interface Reader {
  readonly consumer: ConsumerInfo;
  readonly others: readonly ConsumerInfo[];
}

/** The consumer of a group, and those of others that get the same messages; null: there is none, or no stream. */
async function readerOf({ connection }: NatsView, { name: subject, group }: Address): Promise<Reader | null> {
  const stream = await streamOf(connection, subject);
  if (stream === null) return null;
  const all = await consumersOf(connection, stream.config.name);
  const reading = all.filter(({ config: { filter_subject: filter = ">" } }) => covers(filter || ">", subject));
  const wanted = group ?? natsTransportDefaults.group;
  const names = [wordOf(wanted), wordOf(`${wanted}.${subject}`)];
  const named = reading.find((each) => names.includes(each.name));
  const consumer = named ?? (group === undefined && reading.length === 1 ? reading[0] : undefined);
  return consumer === undefined ? null : { consumer, others: reading.filter((each) => each !== consumer) };
}

/** Whoever dead-letters on NATS does so itself, unless its consumer has a limit: then somebody has to hear what NATS says. */
async function look(view: NatsView, queue: string): Promise<QueueCondition> {
  const address = await addressOf(view, queue);
  if (address === null) return { address, keepsNextDeath: null, keepsOrder: null, otherGroups: [], lag: null };
  const reader = await readerOf(view, address);
  return {
    address,
    keepsNextDeath: reader === null || (await isHeardOf(view, reader.consumer)),
    // Each message goes to whichever process of the group asks next.
    keepsOrder: "never",
    otherGroups: reader?.others.map((each) => each.name) ?? [],
    lag: reader === null ? null : unsettledIn(reader.consumer) + (await comingAgain(view, address, queue)),
  };
}

async function isHeardOf({ connection }: NatsView, { stream_name: stream, name: consumer, config }: ConsumerInfo) {
  if ((config.max_deliver ?? -1) <= 0) return true;
  return (await streamOf(connection, advisorySubjects.gaveUpOf(stream, consumer))) !== null;
}

/** What waits for its time, or was sent again, for that queue. */
function comingAgain({ connection }: NatsView, { name: subject }: Address, queue: string): Promise<number> {
  return countIn(connection, [ourSubjects.again(queue), ourSubjects.charged(queue), ourSubjects.delayed(subject)]);
}

/** Messages under these subjects of our own stream. */
async function countIn(connection: NatsConnection, subjects: readonly string[]): Promise<number> {
  const { stream } = natsTransportDefaults;
  const infos = await Promise.all(
    subjects.map((each) =>
      orNull(connection.manage((manager) => manager.streams.info(stream, { subjects_filter: each }))),
    ),
  );
  return infos.reduce((sum, info) => sum + Object.values(info?.state.subjects ?? {}).reduce((a, b) => a + b, 0), 0);
}

/** All that was there by then is acknowledged, and nothing of it waits or comes again. */
async function watch(view: NatsView, queue: string): Promise<() => Promise<boolean>> {
  const address = await addressOf(view, queue);
  const stream = address === null ? null : await streamOf(view.connection, address.name);
  const last = stream?.state.last_seq ?? 0;
  return async () => {
    const reader = address === null ? null : await readerOf(view, address);
    if (address === null || reader === null) return false;
    const { consumer } = reader;
    const isThrough = unsettledIn(consumer) === 0 || consumer.ack_floor.stream_seq >= last;
    return isThrough && (await comingAgain(view, address, queue)) === 0;
  };
}

/** What the office has read of a work queue is gone; other streams keep it. */
async function hasMessage(connection: NatsConnection, position: string | null): Promise<boolean> {
  const [stream = "", seq] = position?.split(":") ?? [];
  if (seq === undefined) return false;
  const stored = await orNull(connection.manage((manager) => manager.streams.getMessage(stream, { seq: Number(seq) })));
  return stored !== null;
}
