import { createHash } from "node:crypto";
import type { Cancel, Clock } from "../../domain/clock.ts";
import type { Database } from "../../domain/database.ts";

export interface WatchersParts {
  readonly database: Database;
  readonly schema: string;
  readonly notify: string;
  readonly clock: Clock;
}

/** How long announcements are gathered after one went out, in milliseconds. */
const restMs = 20;

interface Watched {
  readonly wakers: Set<() => void>;
  alarm: { readonly at: number; readonly cancel: Cancel } | null;
}

/**
 * Tells consumers that there may be something to take: those of this process directly, those of others by notification.
 * All of it only hastens them.
 *
 * Notifications are not part of the transaction that sends: those serialise every commit of the whole server. They
 * follow it, gathered, at most one statement every `restMs`.
 */
export class Watchers {
  readonly #parts: WatchersParts;
  readonly #watched = new Map<string, Watched>();
  readonly #stops = new Set<() => Promise<void>>();
  #unannounced = new Set<string>();
  #cancelRest: Cancel | null = null;

  constructor(parts: WatchersParts) {
    this.#parts = parts;
  }

  async watch(queue: string, wake: () => void): Promise<Cancel> {
    const watched = this.#watched.get(queue) ?? { wakers: new Set(), alarm: null };
    this.#watched.set(queue, watched);
    const waker = () => wake();
    watched.wakers.add(waker);
    const leave = () => {
      watched.wakers.delete(waker);
      if (watched.wakers.size === 0) this.#forget(queue, watched);
    };
    const stop = await this.#listen(queue, waker).catch((error: unknown) => {
      leave();
      throw error;
    });
    return () => {
      leave();
      if (stop !== undefined) void this.#stop(stop);
    };
  }

  async #listen(queue: string, waker: () => void): Promise<(() => Promise<void>) | undefined> {
    const { database, schema } = this.#parts;
    const stop = await database.listen?.(channelOf(schema, queue), waker);
    if (stop !== undefined) this.#stops.add(stop);
    return stop;
  }

  /** There is something in the queue now. */
  announce(queue: string): void {
    this.#wake(queue);
    this.#unannounced.add(queue);
    if (this.#cancelRest === null) this.#notify();
  }

  /** There will be something in the queue. One alarm will do, the earliest: whoever it wakes learns when the next is due. */
  wakeAfter(queue: string, delayMs: number): void {
    const watched = this.#watched.get(queue);
    const { clock } = this.#parts;
    const at = clock.now() + delayMs;
    if (watched === undefined || (watched.alarm !== null && watched.alarm.at <= at)) return;
    watched.alarm?.cancel();
    const cancel = clock.after(delayMs, () => {
      watched.alarm = null;
      this.#wake(queue);
    });
    watched.alarm = { at, cancel };
  }

  async close(): Promise<void> {
    this.#cancelRest?.();
    for (const [queue, watched] of this.#watched) this.#forget(queue, watched);
    await Promise.all(Array.from(this.#stops, (stop) => this.#stop(stop)));
  }

  #wake(queue: string): void {
    for (const wake of this.#watched.get(queue)?.wakers ?? []) wake();
  }

  #notify(): void {
    const { database, schema, notify, clock } = this.#parts;
    const channels = Array.from(this.#unannounced, (queue) => channelOf(schema, queue));
    this.#unannounced = new Set();
    // Consumers find it by themselves a little later.
    database.query(notify, [channels]).catch(() => {});
    this.#cancelRest = clock.after(restMs, () => {
      this.#cancelRest = null;
      if (this.#unannounced.size > 0) this.#notify();
    });
  }

  #forget(queue: string, watched: Watched): void {
    watched.alarm?.cancel();
    watched.alarm = null;
    if (this.#watched.get(queue) === watched) this.#watched.delete(queue);
  }

  async #stop(stop: () => Promise<void>): Promise<void> {
    if (!this.#stops.delete(stop)) return;
    await stop().catch(() => {});
  }
}

/** Names of channels are short and queues' names need not be. */
function channelOf(schema: string, queue: string): string {
  return `dlo_${createHash("sha256").update(`${schema}\0${queue}`).digest("hex").slice(0, 32)}`;
}
