import { OfficeError } from "../domain/errors.ts";
import {
  type Fetched,
  type GroupSession,
  type KafkaDriver,
  KafkaFault,
  type Position,
} from "../transports/kafka/driver.ts";
import { decodeRecord } from "../transports/kafka/record-codec.ts";
import { noSuchQueue, type Peeked, type PeekLimits, peeked } from "./peek.ts";
import { endsOf } from "./topic-readers.ts";

const fetching = { maxWaitMs: 0, slot: 1 } as const;

/** Records that the group has not committed, partition after partition. Nothing joins the group and nothing is committed. */
export async function peekKafka(
  driver: KafkaDriver,
  topic: string,
  limits: PeekLimits,
  group: string,
): Promise<readonly Peeked[]> {
  const ends = await endsOf(driver, topic);
  if (ends.length === 0) throw noSuchQueue(topic);
  const session = driver.session(group);
  const found: Peeked[] = [];
  try {
    const committed = await committedBy(driver, session, { ends, group });
    for (const end of ends) {
      if (found.length >= limits.most || limits.signal.aborted) break;
      const first = await driver.edgeOffset(end, "earliest");
      const from = { ...end, offset: Math.max(first, committed.get(end.partition) ?? 0) };
      await readPartition(session, { from, until: end.offset }, limits, found);
    }
  } catch (error) {
    throw error instanceof KafkaFault ? unreadable(topic, error.message) : error;
  } finally {
    await session.close();
  }
  return found;
}

interface Reached {
  readonly ends: readonly Position[];
  readonly group: string;
}

/** Of a group that nobody knows it is not asked: where no group ever was, Kafka would make its topic for offsets to answer that. */
async function committedBy(
  driver: KafkaDriver,
  session: GroupSession,
  { ends, group }: Reached,
): Promise<ReadonlyMap<number, number>> {
  const isKnown = (await driver.groups()).includes(group);
  const committed = isKnown ? await session.committed(ends) : [];
  return new Map(committed.map(({ partition, offset }) => [partition, offset]));
}

interface Stretch {
  readonly from: Position;
  readonly until: number;
}

/** One partition at a time and a little at a time: all at once might be a gigabyte. */
async function readPartition(
  session: GroupSession,
  { from, until }: Stretch,
  limits: PeekLimits,
  found: Peeked[],
): Promise<void> {
  let { offset } = from;
  while (offset < until && found.length < limits.most && !limits.signal.aborted) {
    const { records, nextOffset } = await fetchFrom(session, { ...from, offset }, limits.bytesEach);
    for (let record = records.next(); record !== null && found.length < limits.most; record = records.next()) {
      const position = `${from.topic}/${from.partition}/${record.offset}`;
      if (record.offset >= offset) found.push(peeked(position, decodeRecord(record), limits));
    }
    if (nextOffset <= offset) return;
    offset = nextOffset;
  }
}

type Records = Extract<Fetched, { kind: "records" }>;

async function fetchFrom(session: GroupSession, at: Position, maxPartitionBytes: number): Promise<Records> {
  const [share] = await session.leaders([at]);
  const answers =
    share === undefined ? [] : await session.fetch(share.leader, [at], { ...fetching, maxPartitionBytes });
  const [answer] = answers;
  if (answer?.kind === "records") return answer;
  if (answer?.kind === "failed") throw answer.fault;
  throw unreadable(at.topic, `Nobody leads partition ${at.partition}, or it was trimmed just now.`);
}

function unreadable(topic: string, why: string): OfficeError {
  const text = `\`${topic}\` cannot be read at present. ${why} Try again in a moment.`;
  return new OfficeError("TRANSPORT_UNAVAILABLE", text, { details: { queue: topic } });
}
