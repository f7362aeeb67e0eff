import type { Cancel, Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { encodeHeaders } from "../../domain/header-codec.ts";
import type { Address, Header, Message } from "../../domain/message.ts";
import type { RedisScript } from "../../domain/redis.ts";
import { possibleDelay, requireDelay } from "../delay.ts";
import type { PullLink, Taken, TakeOptions } from "../pull-link.ts";
import type { RedisConnection } from "./connection.ts";
import { encodeEntry, headersField, sizeOf } from "./entry-codec.ts";
import { keysOf, type RedisQueue, redisQueue } from "./queue-keys.ts";
import {
  acknowledgeScript,
  adoptScript,
  chargeScript,
  delayForAllScript,
  delayScript,
  extendScript,
  giveBackScript,
  moveScript,
  replaceScript,
} from "./scripts.ts";
import type { RedisReceipt } from "./taken.ts";
import { RedisTaker } from "./taker.ts";
import { Waker } from "./waker.ts";

export interface RedisLinkParts {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  /** Who reads a stream for which no group is named. */
  readonly group: string;
  readonly startFrom: "earliest" | "latest";
  /** Whether entries go from their stream once they are acknowledged, if no other group reads it. */
  readonly clean: boolean;
  readonly adoptAfterMs: number;
  readonly maxMessageBytes: number;
}

/** Lua hands a few thousand values to a command at most. */
const maxBatch = 1_000;
/** How often it is looked for what other libraries' consumers left behind, in milliseconds. */
const adoptEveryMs = 60_000;

/** Queues as streams and groups. Each step is one script or transaction, by Redis's own clock. */
export class RedisLink implements PullLink<RedisReceipt> {
  readonly #parts: RedisLinkParts;
  readonly #wakers = new Map<string, Set<Waker>>();
  readonly #taker: RedisTaker;
  /** Where the search for what was left behind goes on, and when, for each queue. */
  readonly #searches = new Map<string, { cursor: string; at: number }>();

  constructor(parts: RedisLinkParts) {
    this.#parts = parts;
    this.#taker = new RedisTaker(parts.connection, parts.startFrom);
  }

  async send(to: Address, message: Message, delayMs: number): Promise<void> {
    const { connection, maxMessageBytes } = this.#parts;
    const queue = this.#queue(to);
    requireDelay(delayMs);
    const entry = encodeEntry(message);
    requireSize(sizeOf(entry), maxMessageBytes);
    if (delayMs === 0) await connection.call("XADD", [queue.stream, "*", ...entry]);
    else if (to.group !== undefined) await connection.run(delayScript, keysOf(queue), [delayMs, ...entry]);
    else await connection.run(delayForAllScript, [queue.delayed, queue.delayedEntries], [delayMs, ...entry]);
    this.#wake(queue, delayMs);
  }

  async take(from: Address, max: number, { leaseMs }: TakeOptions): Promise<readonly Taken<RedisReceipt>[]> {
    const queue = this.#queue(from);
    await this.#adopt(queue);
    const wanted = { max: Math.min(max, maxBatch), leaseMs: Math.ceil(leaseMs) };
    const found = await this.#taker.take(queue, wanted);
    if (!("lastId" in found)) return found;
    for (const waker of this.#wakersOf(queue)) waker.idle(found.lastId, found.nextDueMs);
    return [];
  }

  async acknowledge(receipts: readonly RedisReceipt[]): Promise<void> {
    await this.#inBatches(receipts, (queue, batch) => {
      const args = [queue.group, this.#clean(), ...byState(batch)];
      return this.#parts.connection.run(acknowledgeScript, keysOf(queue), args);
    });
  }

  async giveBack(receipts: readonly RedisReceipt[]): Promise<void> {
    await this.#inBatches(receipts, (queue, batch) => {
      const args = [queue.group, ...batch.flatMap(({ id, state }) => [id, state])];
      return this.#parts.connection.run(giveBackScript, keysOf(queue), args);
    });
    for (const queue of queuesOf(receipts)) this.#dueIn(queue, 0);
  }

  async replace(receipt: RedisReceipt, message: Message, delayMs: number): Promise<boolean> {
    const waitMs = possibleDelay(delayMs);
    const replaced = await this.#ofOne(replaceScript, receipt, [waitMs, ...encodeEntry(message)]);
    if (replaced) this.#dueIn(receipt.queue, waitMs);
    return replaced;
  }

  async move(receipt: RedisReceipt, to: Address, message: Message): Promise<boolean> {
    const target = this.#queue(to);
    const args = [this.#clean(), ...encodeEntry(message)];
    const moved = await this.#ofOne(moveScript, receipt, args, [target.stream]);
    if (moved) this.#wake(target, 0);
    return moved;
  }

  charge(receipt: RedisReceipt, headers: readonly Header[]): Promise<boolean> {
    return this.#ofOne(chargeScript, receipt, [headersField, encodeHeaders(headers) ?? ""]);
  }

  extend(receipt: RedisReceipt, ms: number): Promise<boolean> {
    return this.#ofOne(extendScript, receipt, [Math.ceil(ms)]);
  }

  async watch(from: Address, wake: () => void): Promise<Cancel> {
    const { connection, clock } = this.#parts;
    const queue = this.#queue(from);
    const waker = new Waker(connection, clock, queue, wake);
    const wakers = this.#wakers.get(queue.due) ?? new Set();
    this.#wakers.set(queue.due, wakers.add(waker));
    return () => {
      waker.stop();
      wakers.delete(waker);
    };
  }

  async close(): Promise<void> {
    for (const wakers of this.#wakers.values()) for (const waker of wakers) waker.stop();
    await this.#parts.connection.close();
  }

  #queue(address: Address): RedisQueue {
    return redisQueue(address, this.#parts.group);
  }

  #clean(): string {
    return this.#parts.clean ? "1" : "0";
  }

  /** False: the receipt no longer stands for anything. */
  async #ofOne(
    script: RedisScript,
    { queue, id, state }: RedisReceipt,
    args: readonly (string | Buffer | number)[],
    otherKeys: readonly string[] = [],
  ): Promise<boolean> {
    const keys = [...keysOf(queue), ...otherKeys];
    return (await this.#parts.connection.run(script, keys, [queue.group, id, state, ...args])) === 1;
  }

  async #inBatches(
    receipts: readonly RedisReceipt[],
    run: (queue: RedisQueue, batch: readonly RedisReceipt[]) => Promise<unknown>,
  ): Promise<void> {
    for (const queue of queuesOf(receipts)) {
      const ofQueue = receipts.filter((receipt) => receipt.queue.due === queue.due);
      for (let begin = 0; begin < ofQueue.length; begin += maxBatch) {
        await run(queue, ofQueue.slice(begin, begin + maxBatch));
      }
    }
  }

  /** Now and then, a page at a time: a group that was somebody else's may have pending entries that nobody will claim. */
  async #adopt(queue: RedisQueue): Promise<void> {
    const { connection, clock, adoptAfterMs } = this.#parts;
    const search = this.#searches.get(queue.due) ?? { cursor: "0-0", at: 0 };
    if (clock.now() < search.at) return;
    const answer = await connection.run(adoptScript, keysOf(queue), [queue.group, adoptAfterMs, search.cursor]);
    const cursor = String(answer);
    this.#searches.set(queue.due, { cursor, at: clock.now() + (cursor === "0-0" ? adoptEveryMs : 0) });
  }

  /** It was out, and comes again now or later. */
  #dueIn(queue: RedisQueue, delayMs: number): void {
    if (delayMs === 0) this.#taker.lookForDue(queue);
    this.#wake(queue, delayMs);
  }

  /** It is in the queue, and due now or later. Other processes hear of it from their streams, or find it by asking. */
  #wake(queue: RedisQueue, delayMs: number): void {
    for (const waker of this.#wakersOf(queue)) {
      if (delayMs > 0) waker.wakeAfter(Math.ceil(delayMs));
      else waker.wakeNow();
    }
  }

  #wakersOf(queue: RedisQueue): Iterable<Waker> {
    return this.#wakers.get(queue.due) ?? [];
  }
}

/** Each state once, with how many have it and their ids. */
function byState(receipts: readonly RedisReceipt[]): readonly (string | number)[] {
  const ids = new Map<string, string[]>();
  for (const { id, state } of receipts) {
    const known = ids.get(state);
    if (known === undefined) ids.set(state, [id]);
    else known.push(id);
  }
  return [...ids].flatMap(([state, those]) => [state, those.length, ...those]);
}

/** Each queue once. */
function queuesOf(receipts: readonly RedisReceipt[]): Iterable<RedisQueue> {
  return new Map(receipts.map(({ queue }) => [queue.due, queue])).values();
}

function requireSize(bytes: number, maxMessageBytes: number): void {
  if (bytes <= maxMessageBytes) return;
  const sentence = `The message has ${bytes} bytes, and \`maxMessageBytes\` is ${maxMessageBytes}.`;
  throw new OfficeError("MESSAGE_TOO_LARGE", sentence, { details: { bytes, maxMessageBytes } });
}
