import type { Host } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Message } from "../../domain/message.ts";
import { wire } from "../../domain/wire.ts";
import type { IncomingRecord, KafkaDriver, LoggedBatch, NamedProducer, TopicPartition } from "./driver.ts";
import { partitionChooser } from "./partitioner.ts";
import { encodeRecord } from "./record-codec.ts";
import { refusal } from "./sender.ts";

/** What a scan tells of a send. `withdrawn`: it is in the log, but not for those who read only what was committed. */
export type LoggedAs = "committed" | "withdrawn" | "absent";

export interface LookedFor {
  /** The value of its `dlo-replay`. */
  readonly mark: string;
  /** What `positions` gave before it was intended. */
  readonly positions: string;
}

/** Sends in transactions of one producer, found again by their mark. */
export interface MarkedSends {
  /** Where the topic ends now: what is sent from now on lies behind it. */
  positions(topic: string): Promise<string>;
  send(topic: string, message: Message): Promise<void>;
  commit(): Promise<void>;
  /** Shuts out whoever sent under this name before, and looks for these. Those that nobody can tell of are left out. */
  find(topic: string, wanted: readonly LookedFor[]): Promise<ReadonlyMap<string, LoggedAs>>;
}

export interface MarkedSendsParts {
  readonly driver: KafkaDriver;
  readonly host: Host;
  /** Of the producer; whoever comes later by the same name shuts out the one before. */
  readonly name: string;
}

export function markedSends({ driver, host, name }: MarkedSendsParts): MarkedSends {
  const producer = driver.namedProducer(name);
  const choose = partitionChooser(host.random);
  const counts = new Map<string, number>();
  const fenced = onceOf(producer);
  const partitionsOf = async (topic: string): Promise<number> => {
    const count = (await driver.partitionCounts([topic])).get(topic);
    if (count === undefined)
      throw new OfficeError("QUEUE_NOT_FOUND", `There is no topic ${topic}. Make it, or redirect.`);
    counts.set(topic, count);
    return count;
  };
  return {
    async positions(topic) {
      await fenced.once();
      const count = await partitionsOf(topic);
      const ends = partitionsFrom(topic, count).map((each) => driver.edgeOffset(each, "written"));
      return JSON.stringify(await Promise.all(ends));
    },
    async send(topic, message) {
      const record = encodeRecord(message);
      const partition = choose(record.key, counts.get(topic) ?? (await partitionsOf(topic)));
      await producer.produce({ topic, partition }, record).catch((error: unknown) => {
        throw refusal(error, topic);
      });
    },
    commit: () => producer.commit(),
    async find(topic, wanted) {
      await fenced.again();
      return findIn(driver, topic, wanted);
    },
  };
}

/** The first use shuts out whoever was there before; an error is not remembered. */
function onceOf(producer: NamedProducer) {
  let fencing: Promise<void> | null = null;
  const again = () => {
    fencing = producer.fence().catch((error: unknown) => {
      fencing = null;
      throw error;
    });
    return fencing;
  };
  return { again, once: () => fencing ?? again() };
}

function partitionsFrom(topic: string, count: number): readonly TopicPartition[] {
  return Array.from({ length: count }, (_, partition) => ({ topic, partition }));
}

/** After the fence: nothing of what is looked for can be written any more, so that what is not there will never be. */
async function findIn(
  driver: KafkaDriver,
  topic: string,
  wanted: readonly LookedFor[],
): Promise<ReadonlyMap<string, LoggedAs>> {
  const from = earliestOf(wanted);
  const marks = new Set(wanted.map(({ mark }) => mark));
  const found = new Map<string, LoggedAs>();
  const count = (await driver.partitionCounts([topic])).get(topic) ?? 0;
  let isWhole = count > 0;
  for (const each of partitionsFrom(topic, count)) {
    const isRead = await readPartition(driver, { ...each, offset: from[each.partition] ?? 0 }, marks, found);
    isWhole &&= isRead;
  }
  // Where anything is missing that once was there, what is not found may have been among it.
  if (isWhole) for (const mark of marks) if (!found.has(mark)) found.set(mark, "absent");
  return found;
}

/** Each partition from the earliest position noted for it: windows of one replay follow each other closely. */
function earliestOf(wanted: readonly LookedFor[]): readonly number[] {
  const all = wanted.map(({ positions }) => JSON.parse(positions) as readonly number[]);
  const most = Math.max(0, ...all.map((positions) => positions.length));
  return Array.from({ length: most }, (_, partition) => Math.min(...all.map((positions) => positions[partition] ?? 0)));
}

/** Adds what it finds; false when something between there and the end is not in the log any more. */
async function readPartition(
  driver: KafkaDriver,
  from: TopicPartition & { readonly offset: number },
  marks: ReadonlySet<string>,
  found: Map<string, LoggedAs>,
): Promise<boolean> {
  const [earliest, end] = await Promise.all([driver.edgeOffset(from, "earliest"), driver.edgeOffset(from, "written")]);
  // A topic that was made anew ends before where it ended once.
  if (earliest > from.offset || end < from.offset) return false;
  const open = new Map<bigint, string[]>();
  let next = from.offset;
  let isWhole = true;
  for await (const batch of driver.scan(from, end)) {
    isWhole &&= Math.max(batch.firstOffset, from.offset) === next && isComplete(batch);
    next = batch.lastOffset + 1;
    take(batch, marks, { open, found });
  }
  return isWhole && next >= end && open.size === 0;
}

/** Compaction takes records out of batches. */
function isComplete(batch: LoggedBatch): boolean {
  return batch.kind !== "records" || batch.records.length === batch.lastOffset - batch.firstOffset + 1;
}

interface Reading {
  /** Marks in transactions that have not ended yet, by producer. */
  readonly open: Map<bigint, string[]>;
  readonly found: Map<string, LoggedAs>;
}

function take(batch: LoggedBatch, marks: ReadonlySet<string>, { open, found }: Reading): void {
  if (batch.kind === "records") {
    // Ours are sent in transactions; a copy that somebody made of one is not it.
    const ours = batch.isTransactional ? batch.records.map(markOf).filter((mark) => marks.has(mark)) : [];
    if (ours.length > 0) open.set(batch.producerId, [...(open.get(batch.producerId) ?? []), ...ours]);
    return;
  }
  for (const mark of open.get(batch.producerId) ?? []) {
    if (batch.kind === "commit") found.set(mark, "committed");
    else if (!found.has(mark)) found.set(mark, "withdrawn");
  }
  open.delete(batch.producerId);
}

function markOf({ headers }: IncomingRecord): string {
  const header = headers.find(([name]) => name.toString() === wire.replay);
  return header?.[1]?.toString() ?? "";
}
