import type { Cancel, Clock } from "../../domain/clock.ts";
import type { RedisConnection } from "./connection.ts";
import type { RedisQueue } from "./queue-keys.ts";

/** How long Redis is asked to wait at a time, in milliseconds: a connection that died in silence is found out so. */
const blockMs = 20_000;
/** A queue that is empty is asked again when its next message is due, unless that is later than this, in milliseconds. */
const longestAlarmMs = 60_000;

type Blocking = Awaited<ReturnType<RedisConnection["blocking"]>>;

/**
 * Wakes a consumer that has nothing to do: Redis says when something is added to its stream, which is asked for only
 * while the consumer is idle, and an alarm when something is due. All of it only hastens.
 */
export class Waker {
  readonly #connection: RedisConnection;
  readonly #clock: Clock;
  readonly #queue: RedisQueue;
  readonly #wake: () => void;
  #client: Blocking | null = null;
  #listening = false;
  #stopped = false;
  #alarm: { readonly at: number; readonly cancel: Cancel } | null = null;

  constructor(connection: RedisConnection, clock: Clock, queue: RedisQueue, wake: () => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#queue = queue;
    this.#wake = wake;
  }

  /** There was nothing to take: all up to the entry `lastId` is read, and the next is due after `nextDueMs`, if ever. */
  idle(lastId: string, nextDueMs: number | null): void {
    if (nextDueMs !== null) this.wakeAfter(nextDueMs);
    if (!this.#listening && !this.#stopped) void this.#listen(lastId);
  }

  wakeNow(): void {
    if (!this.#stopped) this.#wake();
  }

  wakeAfter(delayMs: number): void {
    const at = this.#clock.now() + delayMs;
    const isNeeded = this.#alarm === null || at < this.#alarm.at;
    if (this.#stopped || delayMs > longestAlarmMs || !isNeeded) return;
    this.#alarm?.cancel();
    const cancel = this.#clock.after(Math.max(1, delayMs), () => {
      this.#alarm = null;
      this.wakeNow();
    });
    this.#alarm = { at, cancel };
  }

  stop(): void {
    this.#stopped = true;
    this.#alarm?.cancel();
    this.#client?.disconnect();
  }

  async #listen(lastId: string): Promise<void> {
    this.#listening = true;
    try {
      this.#client ??= await this.#connection.blocking(blockMs);
      if (this.#stopped) this.#client.disconnect();
      else await this.#untilAdded(this.#client, lastId);
      this.wakeNow();
    } catch {
      // Consumers find it by themselves a little later, and listen again then.
    }
    this.#listening = false;
  }

  async #untilAdded(client: Blocking, lastId: string): Promise<void> {
    const ask = ["COUNT", 1, "BLOCK", blockMs, "STREAMS", this.#queue.stream, lastId];
    while (!this.#stopped && (await client.callBuffer("XREAD", ask)) === null);
  }
}
