import type { Cancel } from "../domain/clock.ts";
import { pause } from "../domain/clock.ts";
import { isFinal, OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";
import { repeatDelayMs } from "../transports/repeat-delay.ts";
import { channelOf } from "./channel.ts";
import { type Claimed, type OutboxLag, OutboxTable, type SetAsideMessage } from "./outbox-table.ts";
import { RelayEvents, type RelayObserver } from "./relay-events.ts";
import { type OutboxRelayOptions, type RelaySettings, readRelayOptions } from "./relay-options.ts";
import { Sender } from "./sender.ts";
import { Settler, type Unsettled } from "./settler.ts";

/** How a relay is, judged by progress and not by whether its process lives. */
export interface RelayHealth {
  /**
   * "disconnected": the database does not answer, or several sends in a row failed. "stalled": something is in hand
   * and nothing has finished for too long; a probe should fail on it.
   */
  readonly status: "idle" | "working" | "disconnected" | "stalled" | "stopped";
  readonly inHand: number;
  /** Milliseconds since 1970 when something last finished, or came while nothing was in hand. */
  readonly progressAt: number;
  /** As last measured; undefined before the first time. */
  readonly lag: OutboxLag | undefined;
}

export interface OutboxRelay {
  /** Begins to send. Resolves when the relay has stopped; rejects if it can never work. */
  start(): Promise<void>;
  /** Begins no more sends, waits for those under way, gives back the rest. Calling it again waits for the same end. */
  stop(): Promise<void>;
  health(): RelayHealth;
  /** Tells `observer` all that happens from now on, until cancelled. */
  observe(observer: RelayObserver): Cancel;
  /** Looks at the outbox now rather than at the next poll: for whoever has just committed in the same process. */
  wake(): void;
  /** How far sending is behind committing, at this moment. */
  lag(): Promise<OutboxLag>;
  /** Messages that somebody must decide about, oldest first. @param max how many at most, 100 unless given */
  setAside(max?: number): Promise<readonly SetAsideMessage[]>;
  /** Tries these again, from the beginning; their keys go on in order. Resolves to the ids that were set aside. */
  retry(ids: readonly string[]): Promise<readonly string[]>;
  /** Deletes these for good; their keys go on without them. Resolves to the ids that were set aside. */
  drop(ids: readonly string[]): Promise<readonly string[]>;
}

/**
 * Sends what was written with `outbox`, once its transaction has committed, and deletes it when the broker has it. Any
 * number of relays may work on one outbox, in any number of processes.
 *
 * @example
 * const relay = createOutboxRelay({ database, transport });
 * void relay.start();
 */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  return new RunningRelay(readRelayOptions(options));
}

/** While nothing gets through, so few are claimed at once: the rest need not be put off one by one. */
const probes = 4;
const failuresThatMatter = 3;

/** What the loop waits for, when it waits: something to send, room for it, or just a while. */
type Awaited = "news" | "room" | "time";

class RunningRelay implements OutboxRelay {
  readonly #settings: RelaySettings;
  readonly #events: RelayEvents;
  readonly #table: OutboxTable;
  readonly #settler: Settler;
  readonly #sender: Sender;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;
  #ended = false;
  readonly #inHand = new Map<string, Claimed>();
  #progressAt: number;
  #lag: OutboxLag | undefined;
  #cancelLag: Cancel = () => {};
  #databaseLost = false;
  #waiting: { readonly what: Awaited; readonly end: () => void } | null = null;
  /** Something may have come after the database looked and before it answered. */
  #woken = false;
  /** Claims whose answer never came. */
  readonly #doubtful = new Set<string>();
  #brokenBy: unknown;

  constructor(settings: RelaySettings) {
    const { database, schema, transport, host, answerWithinMs, keepSentMs, concurrency, sendWithinMs } = settings;
    this.#settings = settings;
    this.#progressAt = host.clock.now();
    this.#events = new RelayEvents(settings.observers, () => host.clock.now());
    this.#table = new OutboxTable({ database, schema, clock: host.clock, answerWithinMs, keepSentMs });
    this.#settler = new Settler({
      table: this.#table,
      host,
      failed: (error) => this.#lostDatabase(error),
      settled: (items, lost) => this.#settled(items, lost),
    });
    this.#sender = new Sender({
      ...{ transport, host, concurrency, sendWithinMs, events: this.#events },
      policy: { ...settings, random: host.random },
      settle: (items) => this.#settler.settle(items),
      closed: (error) => this.#break(error),
    });
  }

  start(): Promise<void> {
    if (this.#running || this.#stopped) {
      const sentence = "This relay was started before. Make another one with createOutboxRelay to go on.";
      return Promise.reject(new OfficeError("CONSUMER_ALREADY_STARTED", sentence));
    }
    this.#running = this.#run();
    return this.#running;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  health(): RelayHealth {
    return { status: this.#status(), inHand: this.#inHand.size, progressAt: this.#progressAt, lag: this.#lag };
  }

  observe(observer: RelayObserver): Cancel {
    return this.#events.observe(observer);
  }

  wake(): void {
    this.#woken = true;
    this.#endWait("news");
  }

  async lag(): Promise<OutboxLag> {
    await this.#table.prepare();
    this.#lag = await this.#table.lag();
    return this.#lag;
  }

  async setAside(max = 100): Promise<readonly SetAsideMessage[]> {
    await this.#table.prepare();
    return this.#table.setAside(max);
  }

  retry(ids: readonly string[]): Promise<readonly string[]> {
    return this.#decide(ids, "retry");
  }

  drop(ids: readonly string[]): Promise<readonly string[]> {
    return this.#decide(ids, "drop");
  }

  async #decide(ids: readonly string[], decision: "retry" | "drop"): Promise<readonly string[]> {
    await this.#table.prepare();
    const decided = await this.#table.decide(ids, decision);
    this.wake();
    return decided;
  }

  async #stop(): Promise<void> {
    this.#events.emit({ type: "stopping", inHand: this.#inHand.size });
    this.#halt();
    await this.#running?.catch(() => {});
    this.#ended = true;
    this.#events.emit({ type: "stopped" });
  }

  #break(error: unknown): void {
    this.#brokenBy = error;
    this.#halt();
  }

  #halt(): void {
    this.#stopping.abort();
    void this.#sender.stop();
  }

  async #run(): Promise<void> {
    this.#events.emit({ type: "started" });
    const listening = this.#listen();
    this.#measureLag();
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      failures = (await this.#relaySome(failures)) ? 0 : failures + 1;
    }
    this.#cancelLag();
    await this.#sender.stop();
    await this.#settler.drained();
    const unlisten = await listening;
    await unlisten?.().catch(() => {});
    this.#ended = true;
    if (this.#brokenBy !== undefined) throw this.#brokenBy;
  }

  /** One look at the outbox and the wait after it. False: the database did not answer. */
  async #relaySome(failures: number): Promise<boolean> {
    const { host, pollMs, batch, leaseMs } = this.#settings;
    const claim = host.newId();
    try {
      const claimed = await this.#claim(claim);
      if (this.#inHand.size >= batch) await this.#wait("room", leaseMs);
      // A broker that is away is not to be hurried: probes go at the pace of polls, whatever news there is.
      else if (this.#isBrokerAway()) await this.#wait("time", pollMs);
      else if (claimed === 0 && !this.#woken) await this.#wait("news", pollMs * (0.9 + host.random() / 5));
      return true;
    } catch (error) {
      if (isForGood(error)) this.#break(error);
      else this.#lostDatabase(error);
      this.#doubtful.add(claim);
      await pause(host.clock, repeatDelayMs(failures + 1, host.random), this.#stopping.signal);
      return false;
    }
  }

  async #claim(claim: string): Promise<number> {
    const { host, batch, leaseMs } = this.#settings;
    await this.#table.prepare();
    await this.#abandonDoubtful();
    this.#woken = false;
    const askedAt = host.clock.now();
    const max = this.#isBrokerAway() ? Math.min(probes, batch) : batch;
    const claimed = await this.#table.claim(claim, max, leaseMs);
    if (this.#databaseLost) this.#events.emit({ type: "database-restored" });
    this.#databaseLost = false;
    if (this.#inHand.size === 0) this.#progressAt = host.clock.now();
    for (const one of claimed) this.#inHand.set(handOver(one), one);
    this.#sender.send(claimed, askedAt + leaseMs);
    return claimed.length;
  }

  /** Otherwise what those claims may have got would wait for their leases to lapse. */
  async #abandonDoubtful(): Promise<void> {
    for (const claim of this.#doubtful) {
      await this.#table.abandon(claim);
      this.#doubtful.delete(claim);
    }
  }

  #isBrokerAway(): boolean {
    return this.#sender.failuresInARow > 0;
  }

  async #wait(what: Awaited, ms: number): Promise<void> {
    const waking = new AbortController();
    this.#waiting = { what, end: () => waking.abort() };
    await pause(this.#settings.host.clock, ms, AbortSignal.any([waking.signal, this.#stopping.signal]));
    this.#waiting = null;
  }

  #endWait(what: Awaited): void {
    if (this.#waiting?.what === what) this.#waiting.end();
  }

  #settled(items: readonly Unsettled[], lost: ReadonlySet<string>): void {
    this.#progressAt = this.#settings.host.clock.now();
    for (const item of items) {
      const claimed = this.#inHand.get(handOver(item));
      this.#inHand.delete(handOver(item));
      if (claimed === undefined || item.outcome !== "sent") continue;
      const { id, to, message } = claimed;
      if (lost.has(id)) this.#events.emit({ type: "lease-lost", id, to, message });
      // The next of its lane may go now.
      if (claimed.lane !== null) this.wake();
    }
    if (this.#inHand.size < this.#settings.batch) this.#endWait("room");
  }

  #lostDatabase(error: unknown): void {
    if (!this.#databaseLost) this.#events.emit({ type: "database-lost", error });
    this.#databaseLost = true;
  }

  /** It only hastens; looking now and then suffices. */
  async #listen(): Promise<(() => Promise<void>) | undefined> {
    const { database, schema } = this.#settings;
    return database.listen?.(channelOf(schema), () => this.wake()).catch(() => undefined);
  }

  #measureLag(): void {
    const { host, lagEveryMs } = this.#settings;
    if (lagEveryMs === 0) return;
    const measure = async () => {
      // Not measured is not told: the database's absence is an event of its own.
      const lag = await this.lag().catch(() => undefined);
      if (lag !== undefined) this.#events.emit({ type: "lag", ...lag });
      if (!this.#stopping.signal.aborted) this.#cancelLag = host.clock.after(lagEveryMs, () => void measure());
    };
    void measure();
  }

  #status(): RelayHealth["status"] {
    const { host, stalledAfterMs } = this.#settings;
    if (this.#ended) return "stopped";
    if (this.#inHand.size > 0 && host.clock.now() - this.#progressAt > stalledAfterMs) return "stalled";
    if (this.#databaseLost || this.#sender.failuresInARow >= failuresThatMatter) return "disconnected";
    return this.#inHand.size > 0 ? "working" : "idle";
  }
}

/** The same message may come again under another claim while something is still to be said about this one. */
function handOver({ claim, id }: { readonly claim: string; readonly id: string }): string {
  return `${claim} ${id}`;
}

/** "feature_not_supported": the pool's transactions are not "read committed", and never will be. */
function isForGood(error: unknown): boolean {
  return isFinal(error) || hasCode(error, "0A000");
}
