import { type Clock, pause } from "../../domain/clock.ts";
import { showId } from "../../domain/ids.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { auditHead, readAuditAfter, readPassing } from "../../ledger/read-changes.ts";
import { type Change, changesOf } from "./changes-of.ts";

/** How far somebody has read. */
export interface Position {
  /** Of the last entry in the audit log; any process can go on from it. */
  readonly n: number;
  /** Of what is not in the log; it holds in this process only. */
  readonly passing: number;
}

/** `n` is null for what has no entry in the log. */
export interface Told extends Change {
  readonly n: number | null;
}

export type News =
  | { readonly kind: "changes"; readonly changes: readonly Told[]; readonly position: Position }
  /** Too much happened since: whoever asks must look at everything again. */
  | { readonly kind: "reset"; readonly position: Position };

export interface ChangeFeed {
  /** Where to begin who knows nothing yet. */
  now(): Promise<Position>;
  /** What changed since; waits for something until `waitMs` are over or `signal` aborts, and then tells of nothing. */
  after(position: Position, wait: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<News>;
  /** Counts somebody who follows, until they are gone. */
  follow(gone: AbortSignal): void;
  readonly followers: () => number;
}

export interface FeedOptions {
  /** How often the ledger is looked at while somebody waits, in milliseconds. @default 500 */
  readonly lookEveryMs?: number;
  /** How many entries are told one by one to somebody who was away; beyond it is a reset. @default 1_000 */
  readonly mostEntries?: number;
}

const feedDefaults: Required<FeedOptions> = { lookEveryMs: 500, mostEntries: 1_000 };

interface Entry {
  readonly n: number;
  readonly changes: readonly Told[];
}

/**
 * Tells any number of listeners what changed, by looking at the audit log: whichever process changed it. Nothing is kept for
 * a listener but its own position, so one that is slow costs nothing; the latest entries are kept once for all.
 */
export function changeFeed(ledger: Ledger, clock: Clock, options: FeedOptions = {}): ChangeFeed {
  return new LedgerFeed(ledger, clock, { ...feedDefaults, ...options });
}

class LedgerFeed implements ChangeFeed {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #options: Required<FeedOptions>;
  /** The latest entries, without gaps. */
  #entries: readonly Entry[] = [];
  /** The number of the last entry that was looked at; null before the first look. */
  #head: number | null = null;
  #passing: readonly Change[] = [];
  #passed = 0;
  #breakers: string | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;
  #followers = 0;

  constructor(ledger: Ledger, clock: Clock, options: Required<FeedOptions>) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#options = options;
  }

  follow(gone: AbortSignal): void {
    if (gone.aborted) return;
    this.#followers += 1;
    gone.addEventListener("abort", () => {
      this.#followers -= 1;
    });
  }

  readonly followers = () => this.#followers;

  async now(): Promise<Position> {
    await this.#look();
    return { n: this.#head ?? 0, passing: this.#passed };
  }

  async after(
    position: Position,
    { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<News> {
    const until = this.#clock.now() + waitMs;
    for (;;) {
      await this.#look();
      const news = await this.#since(position);
      const left = until - this.#clock.now();
      if (news.kind === "reset" || news.changes.length > 0 || left <= 0 || signal.aborted) return news;
      await pause(this.#clock, Math.min(left, this.#options.lookEveryMs), signal);
    }
  }

  async #since(position: Position): Promise<News> {
    const head = this.#head ?? 0;
    const now: Position = { n: head, passing: this.#passed };
    // A ledger that was restored, or another one: numbers of before mean nothing here.
    if (position.n > head) return { kind: "reset", position: now };
    const entries = await this.#entriesAfter(position.n, head);
    if (entries === null) return { kind: "reset", position: now };
    const missed = Math.min(this.#passed - position.passing, this.#passing.length);
    const passing = missed > 0 ? this.#passing.slice(-missed).map((change): Told => ({ ...change, n: null })) : [];
    const changes = [...entries.flatMap((entry) => entry.changes), ...passing];
    return { kind: "changes", changes, position: { n: entries.at(-1)?.n ?? position.n, passing: this.#passed } };
  }

  /**
   * Null where there are too many. None beyond the head, though the log may have more by now: whoever was ahead of it would be
   * taken for a stranger and told again.
   */
  async #entriesAfter(n: number, head: number): Promise<readonly Entry[] | null> {
    if (n >= head) return [];
    const first = this.#entries[0]?.n;
    if (first !== undefined && n >= first - 1) return this.#entries.filter((entry) => entry.n > n);
    const { mostEntries: limit } = this.#options;
    const written = await readAuditAfter(this.#ledger, { after: n, limit: limit + 1 });
    return written.length > limit ? null : written.map(entryOf).filter((entry) => entry.n <= head);
  }

  /** Once for all who wait, however many. */
  #look(): Promise<void> {
    if (this.#looking !== null) return this.#looking;
    if (this.#clock.now() - this.#lookedAt < this.#options.lookEveryMs) return Promise.resolve();
    this.#looking = this.#lookAtLedger().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #lookAtLedger(): Promise<void> {
    this.#lookedAt = this.#clock.now();
    this.#head ??= await auditHead(this.#ledger);
    const { mostEntries: limit } = this.#options;
    let isMore = true;
    // To the end: who is told to look at everything again is told of nothing that was there by then.
    while (isMore) {
      const written = await readAuditAfter(this.#ledger, { after: this.#head, limit });
      this.#entries = [...this.#entries, ...written.map(entryOf)].slice(-limit);
      this.#head = written.at(-1)?.n ?? this.#head;
      isMore = written.length === limit;
    }
    await this.#lookAtPassing();
  }

  /** Replays under way are told of with each look; breakers when one is not as it was. */
  async #lookAtPassing(): Promise<void> {
    const { underWay, breakers } = await readPassing(this.#ledger);
    const changes: Change[] = underWay.map((replay) => {
      const id = showId("replay", replay);
      return { topic: `replay:${id}`, kind: "replay.changed", id, changed: ["progress"] };
    });
    if (this.#breakers !== null && breakers !== this.#breakers)
      changes.push({ topic: "inbox", kind: "breaker.changed", id: null, changed: ["state"] });
    this.#breakers = breakers;
    this.#passed += changes.length;
    this.#passing = [...this.#passing, ...changes].slice(-this.#options.mostEntries);
  }
}

function entryOf(entry: Parameters<typeof changesOf>[0] & { readonly n: number }): Entry {
  return { n: entry.n, changes: changesOf(entry).map((change) => ({ ...change, n: entry.n })) };
}
