import type { Taken } from "../pull-link.ts";
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

/** Streams and their entries come by turns, or nothing. The idle answer is there where nothing was read. */
export type BatchAnswers = readonly [
  fence: number,
  read: readonly [stream: Buffer, entries: readonly Entry[]] | null,
  outlook: readonly [isDue: number, bytesOfLargest: number, ...idle: IdleAnswer],
];

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
