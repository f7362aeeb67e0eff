import type { Taken } from "../pull-link.ts";
import { unknownAnswer } from "../unknown-answer.ts";
import { decodeEntry, type Fields } from "./entry-codec.ts";
import type { RedisQueue } from "./queue-keys.ts";

/** One hand-over of one message: worth nothing once its state is another. */
export interface RedisReceipt {
  readonly queue: RedisQueue;
  readonly id: string;
  readonly state: string;
}

export type Entry = readonly [id: Buffer, fields: Fields];
type EntryAgain = readonly [id: Buffer, state: Buffer, fields: Fields];
export type TakenAnswer = readonly [
  again: readonly EntryAgain[],
  state: Buffer,
  fresh: readonly (readonly Entry[])[],
  bytesOfLargest: number,
];
export type IdleAnswer = readonly [lastId: Buffer, nextDueMs: number];

/** There was nothing: all up to the entry `lastId` is read, and the next is due after `nextDueMs`, if ever. */
export interface Idle {
  readonly lastId: string;
  readonly nextDueMs: number | null;
}

/** What the three steps of a batch answered. The idle answer is there where nothing was read. */
export interface BatchAnswers {
  readonly fence: number;
  readonly entries: readonly Entry[];
  readonly outlook: readonly [isDue: number, bytesOfLargest: number, ...idle: IdleAnswer];
}

export function readBatchAnswers(answers: readonly unknown[]): BatchAnswers {
  const [fence, read, outlook] = answers;
  const entries = entriesOf(read);
  if (entries === null) throw unknownAnswer("Redis", "XREADGROUP", read);
  const isKnown = typeof fence === "number" && isListOf(outlook, entries.length === 0 ? 4 : 2);
  if (!isKnown) throw unknownAnswer("Redis", "a batch", answers);
  return { fence, entries, outlook: outlook as unknown as BatchAnswers["outlook"] };
}

/**
 * The entries of the one stream that was asked for. A server that speaks RESP2 (it is old, or a proxy without HELLO is before it)
 * lists stream and entries in a list of their own; over RESP3 they are a map, which the client hands over as names and values by
 * turns. Null: neither.
 */
function entriesOf(read: unknown): readonly Entry[] | null {
  if (read === null) return [];
  if (!Array.isArray(read)) return null;
  const list: readonly unknown[] = read.length === 1 && Array.isArray(read[0]) ? read[0] : read;
  const [stream, entries] = list;
  return Buffer.isBuffer(stream) && Array.isArray(entries) && entries.every(isEntry) ? entries : null;
}

function isEntry(entry: unknown): entry is Entry {
  if (!isListOf(entry, 2)) return false;
  const [id, fields] = entry;
  return Buffer.isBuffer(id) && Array.isArray(fields) && fields.length % 2 === 0 && Buffer.isBuffer(fields[0]);
}

function isListOf(answer: unknown, length: number): answer is readonly unknown[] {
  return Array.isArray(answer) && answer.length === length;
}

/** What a take answered, by its length: it found nothing, or these. */
export function readTakeAnswer(answer: unknown): IdleAnswer | TakenAnswer {
  const isTaken = isListOf(answer, 4) && Array.isArray(answer[0]) && Array.isArray(answer[2]);
  if (!isTaken && !isListOf(answer, 2)) throw unknownAnswer("Redis", "a take", answer);
  return answer as unknown as IdleAnswer | TakenAnswer;
}

/** Whether a take found nothing. */
export function isIdle(answer: IdleAnswer | TakenAnswer): answer is IdleAnswer {
  return answer.length === 2;
}

export function readIdle([lastId, nextDueMs]: IdleAnswer): Idle {
  return { lastId: String(lastId), nextDueMs: nextDueMs < 0 ? null : nextDueMs };
}

/** What nobody had read before, with the fence of the batch that it is. */
export function readBatch(queue: RedisQueue, fence: number, entries: readonly Entry[]): readonly Taken<RedisReceipt>[] {
  const state = `${fence}:1:0`;
  return entries.map(([id, fields]) => takenOf(queue, String(id), state, fields, 1, false));
}

export function readTaken(queue: RedisQueue, [again, freshState, fresh]: TakenAnswer): readonly Taken<RedisReceipt>[] {
  const state = String(freshState);
  const taken = again.map(([id, stateAgain, fields]) => takenAgain(queue, id, String(stateAgain), fields));
  for (const entries of fresh) {
    for (const [id, fields] of entries) taken.push(takenOf(queue, String(id), state, fields, 1, false));
  }
  return taken;
}

function takenAgain(queue: RedisQueue, id: Buffer, state: string, fields: Fields): Taken<RedisReceipt> {
  const [, deliveries, redelivered] = state.split(":");
  return takenOf(queue, String(id), state, fields, Number(deliveries), redelivered === "1");
}

function takenOf(
  queue: RedisQueue,
  id: string,
  state: string,
  fields: Fields,
  deliveryCount: number,
  redelivered: boolean,
): Taken<RedisReceipt> {
  return { receipt: { queue, id, state }, message: decodeEntry(fields), position: id, redelivered, deliveryCount };
}
