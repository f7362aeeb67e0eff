import type { Msg } from "@nats-io/transport-node";
import type { Cancel, Clock } from "../../domain/clock.ts";
import type { Acknowledge } from "./acknowledge.ts";
import type { NatsConnection } from "./connection.ts";
import { isHeld, type Lease } from "./lease.ts";
import { decodeMessage, encodeMessageHeaders } from "./message-codec.ts";
import { isForOneGroup } from "./names.ts";
import { Puller } from "./puller.ts";
import { placeOf } from "./stream-place.ts";
import type { NatsQueue, Reader } from "./topology.ts";
import { Waker } from "./waker.ts";

/** One that was pulled, and from where. */
export interface Pulled {
  readonly reader: Reader;
  readonly msg: Msg;
}

export interface QueueReaderParts {
  readonly connection: NatsConnection;
  readonly clock: Clock;
  readonly queue: NatsQueue;
  readonly acknowledge: Acknowledge;
  /** How often it is looked for what others have sent again or let wait, in milliseconds. */
  readonly lookEveryMs: number;
}

/** So many of those that wait are looked at at a time. */
const waitingAtOnce = 100;
/** When one is looked at again that is due and could not be sent, in milliseconds. */
const tryAgainMs = 5_000;

/** One queue as it is read by one process: what is new, what comes again, and what has waited for its time. */
export class QueueReader {
  readonly #parts: QueueReaderParts;
  readonly #main: Puller;
  readonly #again: Puller;
  readonly #charged: Puller;
  readonly #delayed: Puller;
  readonly #wakers = new Set<Waker>();
  /** One that was charged, and is out. */
  #suspect: Lease | null = null;
  #lookAt = 0;
  #mayHaveAgain = true;

  constructor(parts: QueueReaderParts) {
    this.#parts = parts;
    const { connection, clock, queue } = parts;
    this.#main = new Puller(connection, clock, queue.main);
    this.#again = new Puller(connection, clock, queue.again);
    this.#charged = new Puller(connection, clock, queue.charged);
    this.#delayed = new Puller(connection, clock, queue.delayed);
  }

  get queue(): NatsQueue {
    return this.#parts.queue;
  }

  /** What comes again goes first: it has waited longest. */
  async take(max: number): Promise<readonly Pulled[]> {
    const { clock, queue } = this.#parts;
    if (clock.now() >= this.#lookAt) await this.#look();
    const again = this.#mayHaveAgain ? await this.#takeAgain(max) : [];
    const fresh = again.length < max ? await this.#pull(this.#main, max - again.length, again.length > 0) : [];
    if (again.length + fresh.length === 0) for (const waker of this.#wakers) waker.idle();
    return [...again, ...pulledFrom(queue.main, fresh)];
  }

  holdsSuspect(lease: Lease): void {
    this.#suspect = lease;
  }

  /** Of one that was charged: the next may come. */
  released(lease: Lease): void {
    if (this.#suspect !== lease) return;
    this.#suspect = null;
    this.sent(null);
  }

  /** Something of this queue was sent, which comes at once or at that time. */
  sent(dueAt: number | null): void {
    if (dueAt !== null) {
      this.#dueAt(dueAt);
      return;
    }
    this.#mayHaveAgain = true;
    for (const waker of this.#wakers) waker.wakeNow();
  }

  watch(wake: () => void): Cancel {
    const { connection, clock, queue } = this.#parts;
    const subjects = [queue.main, queue.again, queue.charged].map(({ subject }) => subject);
    const waker = new Waker(connection, clock, subjects, wake);
    this.#wakers.add(waker);
    return () => {
      waker.stop();
      this.#wakers.delete(waker);
    };
  }

  stop(): void {
    for (const waker of this.#wakers) waker.stop();
  }

  async #takeAgain(max: number): Promise<readonly Pulled[]> {
    const { queue } = this.#parts;
    // Before it is asked: what is sent meanwhile must not be forgotten.
    this.#mayHaveAgain = false;
    const charged = this.#mayTakeCharged() ? await this.#pull(this.#charged, 1, false) : [];
    const again = max > charged.length ? await this.#pull(this.#again, max - charged.length, charged.length > 0) : [];
    if (charged.length + again.length === max) this.#mayHaveAgain = true;
    return [...pulledFrom(queue.charged, charged), ...pulledFrom(queue.again, again)];
  }

  /**
   * One at a time: a process that dies with several in hand that were charged leaves nobody to say which of them it was.
   */
  #mayTakeCharged(): boolean {
    return this.#suspect === null || !isHeld(this.#suspect, this.#parts.clock);
  }

  /** A question that fails must not cost what another has brought; it is asked again the next time. */
  async #pull(from: Puller, max: number, hasOthers: boolean): Promise<readonly Msg[]> {
    try {
      return await from.pull(max);
    } catch (error) {
      this.#mayHaveAgain = true;
      if (hasOthers) return [];
      throw error;
    }
  }

  #dueAt(at: number): void {
    this.#lookAt = Math.min(this.#lookAt, at);
    for (const waker of this.#wakers) waker.wakeAt(at);
  }

  async #look(): Promise<void> {
    const { clock, lookEveryMs } = this.#parts;
    this.#mayHaveAgain = true;
    this.#lookAt = clock.now() + lookEveryMs;
    let waiting: readonly Msg[];
    do {
      waiting = await this.#delayed.pull(waitingAtOnce);
      await Promise.all(waiting.map((msg) => this.#sendIfDue(msg)));
    } while (waiting.length === waitingAtOnce);
  }

  /**
   * The time it is due stands in the message itself: a server that was restarted, or whoever gives it out early, changes
   * nothing. The server only keeps it from being looked at again and again.
   */
  async #sendIfDue(msg: Msg): Promise<void> {
    const { connection, clock, queue, acknowledge } = this.#parts;
    const { message, again } = decodeMessage(msg, queue.delayed.subject);
    const { dueAt = 0, to = queue.again.subject, ...rest } = again ?? { deliveries: 0, redelivered: false };
    const acknowledgeOn = msg.reply as string;
    if (dueAt > clock.now()) {
      await this.#wait(acknowledgeOn, dueAt);
      return;
    }
    const { makeHeaders } = await connection.opened();
    const { stream, seq, storedAtNs } = placeOf(acknowledgeOn);
    const how = {
      onward: true,
      id: `${stream}:${seq}:${storedAtNs}`,
      ...(isForOneGroup(to) ? { again: rest } : {}),
    };
    try {
      await connection.publish(to, { payload: message.body, headers: encodeMessageHeaders(message, how, makeHeaders) });
      await acknowledge([acknowledgeOn]);
    } catch {
      // One that cannot be sent must not keep the others waiting.
      await this.#wait(acknowledgeOn, clock.now() + tryAgainMs);
    }
  }

  async #wait(acknowledgeOn: string, until: number): Promise<void> {
    const { connection, clock } = this.#parts;
    this.#dueAt(until);
    const delayNs = Math.max(1, Math.ceil(until - clock.now())) * 1e6;
    await connection.tell(acknowledgeOn, `-NAK ${JSON.stringify({ delay: delayNs })}`);
  }
}

function pulledFrom(reader: Reader, messages: readonly Msg[]): readonly Pulled[] {
  return messages.map((msg) => ({ reader, msg }));
}
