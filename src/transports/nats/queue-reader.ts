import type { Msg } from "@nats-io/transport-node";
import type { Cancel, Clock } from "../../domain/clock.ts";
import type { Incident } from "../transport.ts";
import { type Acknowledge, notBefore } from "./acknowledge.ts";
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
  readonly acknowledge: Acknowledge;
  /** How often it is looked for what others have sent again or let wait, in milliseconds. */
  readonly lookEveryMs: number;
}

/** So many of those that wait are looked at at a time. */
const waitingAtOnce = 100;
/** When one is looked at again that is due and could not be sent: later each time, in milliseconds. */
const [tryAgainMs, tryAgainLastMs] = [5_000, 300_000];

interface Pullers {
  readonly main: Puller;
  readonly again: Puller;
  readonly charged: Puller;
  readonly delayed: Puller;
}

type Report = (incident: Incident) => void;

/** One queue as it is read by one process: what is new, what comes again, and what has waited for its time. */
export class QueueReader {
  readonly #parts: QueueReaderParts;
  readonly #wakers = new Map<() => void, Waker>();
  #queue: NatsQueue;
  #pullers: Pullers;
  /** One that was charged, and is out. */
  #suspect: Lease | null = null;
  #lookAt = 0;
  #mayHaveAgain = true;

  constructor(parts: QueueReaderParts, queue: NatsQueue) {
    this.#parts = parts;
    this.#queue = queue;
    this.#pullers = this.#pullersOf(queue);
  }

  get queue(): NatsQueue {
    return this.#queue;
  }

  /** It is read there from now on: its subject may be in another stream by now. */
  readAt(queue: NatsQueue): void {
    if (JSON.stringify(queue) === JSON.stringify(this.#queue)) return;
    const { main, again, charged, delayed } = this.#pullers;
    for (const puller of [main, again, charged, delayed]) puller.stop();
    this.#queue = queue;
    this.#pullers = this.#pullersOf(queue);
    this.#mayHaveAgain = true;
    this.#lookAt = 0;
    for (const [wake, waker] of this.#wakers) {
      waker.stop();
      this.#wakers.set(wake, this.#wakerFor(wake));
    }
  }

  /** What comes again goes first: it has waited longest. */
  async take(max: number, report: Report = () => {}): Promise<readonly Pulled[]> {
    const { clock } = this.#parts;
    if (clock.now() >= this.#lookAt) await this.#look(report);
    const again = this.#mayHaveAgain ? await this.#takeAgain(max) : [];
    const fresh = again.length < max ? await this.#pull("main", max - again.length, again.length > 0) : [];
    if (again.length + fresh.length === 0) for (const waker of this.#wakers.values()) waker.idle();
    return [...again, ...fresh];
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
    for (const waker of this.#wakers.values()) waker.wakeNow();
  }

  watch(wake: () => void): Cancel {
    this.#wakers.set(wake, this.#wakerFor(wake));
    return () => {
      this.#wakers.get(wake)?.stop();
      this.#wakers.delete(wake);
    };
  }

  stop(): void {
    for (const waker of this.#wakers.values()) waker.stop();
  }

  #pullersOf({ main, again, charged, delayed }: NatsQueue): Pullers {
    const { connection, clock } = this.#parts;
    const pullerOf = (reader: Reader) => new Puller(connection, clock, reader);
    return { main: pullerOf(main), again: pullerOf(again), charged: pullerOf(charged), delayed: pullerOf(delayed) };
  }

  #wakerFor(wake: () => void): Waker {
    const { connection, clock } = this.#parts;
    const { main, again, charged } = this.#queue;
    const subjects = [main, again, charged].map(({ subject }) => subject);
    return new Waker(connection, clock, subjects, wake);
  }

  async #takeAgain(max: number): Promise<readonly Pulled[]> {
    // Before it is asked: what is sent meanwhile must not be forgotten.
    this.#mayHaveAgain = false;
    const charged = this.#mayTakeCharged() ? await this.#pull("charged", 1, false) : [];
    const again = max > charged.length ? await this.#pull("again", max - charged.length, charged.length > 0) : [];
    if (charged.length + again.length === max) this.#mayHaveAgain = true;
    return [...charged, ...again];
  }

  /**
   * One at a time: a process that dies with several in hand that were charged leaves nobody to say which of them it was.
   */
  #mayTakeCharged(): boolean {
    return this.#suspect === null || !isHeld(this.#suspect, this.#parts.clock);
  }

  /** A question that fails must not cost what another has brought; it is asked again the next time. */
  async #pull(from: keyof Pullers, max: number, hasOthers: boolean): Promise<readonly Pulled[]> {
    const puller = this.#pullers[from];
    try {
      return (await puller.pull(max)).map((msg) => ({ reader: puller.reader, msg }));
    } catch (error) {
      this.#mayHaveAgain = true;
      if (hasOthers) return [];
      throw error;
    }
  }

  #dueAt(at: number): void {
    this.#lookAt = Math.min(this.#lookAt, at);
    for (const waker of this.#wakers.values()) waker.wakeAt(at);
  }

  async #look(report: Report): Promise<void> {
    const { clock, lookEveryMs } = this.#parts;
    this.#mayHaveAgain = true;
    this.#lookAt = clock.now() + lookEveryMs;
    let waiting: readonly Msg[];
    do {
      waiting = await this.#pullers.delayed.pull(waitingAtOnce);
      await Promise.all(waiting.map((msg) => this.#sendIfDue(msg, report)));
    } while (waiting.length === waitingAtOnce);
  }

  /**
   * The time it is due stands in the message itself: a server that was restarted, or whoever gives it out early, changes
   * nothing. The server only keeps it from being looked at again and again.
   */
  async #sendIfDue(msg: Msg, report: Report): Promise<void> {
    const { connection, clock, acknowledge } = this.#parts;
    const queue = this.#queue;
    const { message, again } = decodeMessage(msg, queue.delayed.subject);
    const { dueAt = 0, to = queue.again.subject, ...rest } = again ?? { deliveries: 0, redelivered: false };
    const acknowledgeOn = msg.reply as string;
    if (dueAt > clock.now()) {
      await this.#wait(acknowledgeOn, dueAt);
      return;
    }
    const { makeHeaders } = await connection.opened();
    const { stream, seq, storedAtNs, deliveries } = placeOf(acknowledgeOn);
    const how = {
      onward: true,
      id: `${stream}:${seq}:${storedAtNs}`,
      ...(isForOneGroup(to) ? { again: rest } : {}),
    };
    try {
      await connection.publish(to, { payload: message.body, headers: encodeMessageHeaders(message, how, makeHeaders) });
      await acknowledge([acknowledgeOn]);
    } catch (error) {
      // One that cannot be sent must not keep the others waiting.
      const retryInMs = Math.min(tryAgainMs * 2 ** Math.min(deliveries - 1, 16), tryAgainLastMs);
      await this.#wait(acknowledgeOn, clock.now() + retryInMs);
      report({ kind: "onward-failed", error, message, retryInMs });
    }
  }

  async #wait(acknowledgeOn: string, until: number): Promise<void> {
    const { connection, clock } = this.#parts;
    this.#dueAt(until);
    await connection.tell(acknowledgeOn, notBefore(until - clock.now()));
  }
}
