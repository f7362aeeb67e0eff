import type { Taken } from "../pull-link.ts";
import type { RedisConnection } from "./connection.ts";
import { keysOf, type RedisQueue } from "./queue-keys.ts";
import { beginBatchScript, endBatchScript, takeScript } from "./take-scripts.ts";
import {
  type Entry,
  type Idle,
  isIdle,
  type RedisReceipt,
  readBatch,
  readBatchAnswers,
  readIdle,
  readTakeAnswer,
  readTaken,
} from "./taken.ts";

export interface Wanted {
  readonly max: number;
  readonly leaseMs: number;
}

type Found = readonly Taken<RedisReceipt>[] | Idle;

/** What the last answer said of the next. */
interface Outlook {
  /** Whether something is due that was out or waiting. */
  readonly isDue: boolean;
  /** How many of what nobody has read may be read at once. */
  readonly fit: number;
  /** There was a large one of late, so each is weighed before the next is read. */
  readonly isLarge: boolean;
}

/**
 * Bytes of messages in one answer, beyond which no further message is added to it, once a large one was seen. Until then it is what
 * an answer of messages like the next few has: the first large ones behind those come in as many as were wanted.
 */
const maxAnswerBytes = 16_777_216;
/** From so many bytes on a message is large. */
const largeBytes = 65_536;
/** How many times as many as before are read at most, while none is large. */
const growth = 4;
/** How many are read where nobody knows how large they are. */
const fewFirst = 4;
const unknownOutlook: Outlook = { isDue: false, fit: fewFirst, isLarge: false };

/**
 * Takes messages. Most were never read: Redis reads those by itself, with one lease for all, which costs little more than
 * reading. What comes again needs a script that looks at each, and that is run when something was said to be due, and where
 * messages are large.
 */
export class RedisTaker {
  readonly #connection: RedisConnection;
  /** Where a group begins that is not there yet. */
  readonly #start: string;
  /** For each queue. */
  readonly #outlooks = new Map<string, Outlook>();

  constructor(connection: RedisConnection, startFrom: "earliest" | "latest") {
    this.#connection = connection;
    this.#start = startFrom === "earliest" ? "0" : "$";
  }

  async take(queue: RedisQueue, wanted: Wanted): Promise<Found> {
    const { isDue, fit, isLarge } = this.#outlookOf(queue);
    const found = isDue || isLarge ? null : await this.#takeBatch(queue, { ...wanted, max: Math.min(wanted.max, fit) });
    return found ?? this.#takeDue(queue, wanted);
  }

  /** Something is due there: it comes before what nobody has read. */
  lookForDue(queue: RedisQueue): void {
    this.#outlooks.set(queue.due, { ...this.#outlookOf(queue), isDue: true });
  }

  /** Only what nobody has read. Null: there is none of that, and something else is due; or it takes a script. */
  async #takeBatch(queue: RedisQueue, { max, leaseMs }: Wanted): Promise<Found | null> {
    const keys = keysToTake(queue);
    const ask = ["GROUP", queue.group, "dlo", "COUNT", max, "STREAMS", queue.stream, ">"];
    // Whole, since a server that has forgotten a script would go on to the next step without it.
    const answers = await this.#connection.together([
      ["EVAL", [beginBatchScript, keys.length, ...keys, queue.group, max, this.#start]],
      ["XREADGROUP", ask],
      ["EVAL", [endBatchScript, keys.length, ...keys, queue.group, leaseMs]],
    ]);
    if (answers === null) return null;
    const { fence, entries, outlook } = readBatchAnswers(answers);
    const [due, bytes, ...idle] = outlook;
    const isDue = due === 1;
    const isLarge = bytes >= largeBytes || hasLarge(entries);
    const grown = Math.min(this.#outlookOf(queue).fit * growth, Math.floor(maxAnswerBytes / bytes));
    this.#outlooks.set(queue.due, { isDue, fit: bytes === 0 || isLarge ? fewFirst : grown, isLarge });
    if (entries.length > 0) return readBatch(queue, fence, entries);
    return isDue ? null : readIdle(idle);
  }

  /** What is due, by lease or delay, and then what nobody has read. */
  async #takeDue(queue: RedisQueue, { max, leaseMs }: Wanted): Promise<Found> {
    const wasLarge = this.#outlookOf(queue).isLarge;
    const args = [queue.group, max, maxAnswerBytes, leaseMs, this.#start, largeBytes, wasLarge ? 1 : 0];
    const answer = readTakeAnswer(await this.#connection.run(takeScript, keysToTake(queue), args));
    const isLarge = isIdle(answer) ? wasLarge : answer[3] >= largeBytes;
    // The next batch says whether there is more of what is due.
    this.#outlooks.set(queue.due, { isDue: false, fit: isLarge ? fewFirst : this.#outlookOf(queue).fit, isLarge });
    return isIdle(answer) ? readIdle(answer) : readTaken(queue, answer);
  }

  #outlookOf(queue: RedisQueue): Outlook {
    return this.#outlooks.get(queue.due) ?? unknownOutlook;
  }
}

function keysToTake(queue: RedisQueue): readonly string[] {
  return [...keysOf(queue), queue.delayed, queue.delayedEntries];
}

/** By their parts, which costs least; the next few are weighed whole. */
function hasLarge(entries: readonly Entry[]): boolean {
  for (const [, fields] of entries) {
    for (const part of fields) if (part.length >= largeBytes) return true;
  }
  return false;
}
