import { BatchCursor, endOf, headOf, isWhole } from "../batch-cursor.ts";
import { KafkaFault, type LoggedBatch, type Position } from "../driver.ts";
import type { Cluster } from "./cluster.ts";
import { type Library, loadLibrary } from "./connections.ts";
import { decompressionOf, fetchApi } from "./fetch-api.ts";

const readUncommitted = 0;
const maxAnswerBytes = 8_388_608;
const maxWaitMs = 500;

/** All of a partition's log between two offsets, given up or not. Rejects where some of that is not there any more. */
export async function* scanLog(
  cluster: Cluster,
  { topic, partition, offset }: Position,
  until: number,
): AsyncGenerator<LoggedBatch> {
  for (let at = offset; at < until; ) {
    const bytes = await fetchBytes(cluster, { topic, partition, offset: at });
    const found = batchesIn(bytes, await loadLibrary());
    // The broker has said that it goes on until there: an answer without a whole batch is no end.
    if (found.length === 0) throw new KafkaFault("OFFSET_NOT_AVAILABLE", `${topic}/${partition}`);
    for (const batch of found) {
      if (batch.lastOffset < at) continue;
      if (batch.firstOffset >= until) return;
      yield batch;
      at = batch.lastOffset + 1;
    }
  }
}

async function fetchBytes(cluster: Cluster, { topic, partition, offset }: Position): Promise<Buffer> {
  const wanted = { partition, currentLeaderEpoch: -1, fetchOffset: BigInt(offset), lastFetchedEpoch: -1 };
  const { partitions } = await cluster.ask(
    { purpose: "scan", broker: await cluster.leader({ topic, partition }), waitMs: maxWaitMs },
    fetchApi,
    ...([maxWaitMs, 1, maxAnswerBytes, readUncommitted, 0, -1] as const),
    [{ topicId: topic, partitions: [{ ...wanted, partitionMaxBytes: maxAnswerBytes }] }],
    [],
    "",
  );
  const [answer] = partitions;
  if (answer === undefined || answer.errorCode !== 0) {
    cluster.forgetLeaders(topic);
    const { protocolErrorsCodesById } = await loadLibrary();
    throw new KafkaFault(protocolErrorsCodesById[answer?.errorCode ?? -1] ?? "UNKNOWN_SERVER_ERROR", topic);
  }
  return answer.bytes;
}

function batchesIn(bytes: Buffer, library: Library): readonly LoggedBatch[] {
  const cursor = new BatchCursor(bytes, decompressionOf(library));
  const batches: LoggedBatch[] = [];
  for (let start = 0; isWhole(bytes, start); start = endOf(bytes, start)) batches.push(batchAt(bytes, start, cursor));
  return batches;
}

function batchAt(bytes: Buffer, start: number, cursor: BatchCursor): LoggedBatch {
  const { producerId, isTransactional, isMarker, count, firstOffset, lastOffset } = headOf(bytes, start);
  const head = { producerId, firstOffset, lastOffset };
  if (isMarker) return { ...head, kind: cursor.isAbort(start) ? "abort" : "commit" };
  cursor.enter(start);
  return { ...head, kind: "records", isTransactional, records: Array.from({ length: count }, () => cursor.read()) };
}
