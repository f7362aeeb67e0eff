import { type Clock, pause } from "../../domain/clock.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { endNotifierTurn, noteNotified, takeNotifierTurn } from "../../ledger/notifier-turns.ts";
import { readAuditAfter } from "../../ledger/read-changes.ts";
import { keepTrying, sentenceOf } from "../keep-trying.ts";
import { type Notice, type NoticeRules, noticeOf, type Occasion } from "./notice-of.ts";

export interface StandingNotifier {
  readonly name: string;
  readonly when: readonly Occasion[];
  /** Resolves when it was told. */
  readonly tell: (notice: Notice) => Promise<void>;
}

/** How a notifier is told, for people. */
export interface NotifierStatus {
  readonly name: string;
  readonly state: "telling" | "waiting";
  /** Since when it is in that state, in milliseconds since 1970. */
  readonly since: number;
  /** Notices it took since the office started. */
  readonly told: number;
  readonly trouble: string | null;
}

export interface StandingNoticesParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly notifiers: readonly StandingNotifier[];
  readonly rules: NoticeRules;
}

export interface StandingNotices {
  status(): readonly NotifierStatus[];
  close(): Promise<void>;
}

const leaseMs = 30_000;
const lookEveryMs = 2_000;
const readAtOnce = 200;
/** What nobody could be told for so long is no news. */
const newsMs = 4 * 3_600_000;
/** One that it never takes must not keep it from all others. */
const mostTries = 10;
/** A queue that fills is one alert, not one for each batch. */
const repeatMs = 10 * 60_000;

/**
 * Tells every notifier of what the audit log says, in its order, at least once, and by one process at a time: whoever takes over
 * goes on behind what was told.
 */
export function standingNotices(parts: StandingNoticesParts): StandingNotices {
  const stop = new AbortController();
  const statuses = new Map<string, NotifierStatus>();
  const running = parts.notifiers.map((notifier) => {
    const since = parts.clock.now();
    let status: NotifierStatus = { name: notifier.name, state: "telling", since, told: 0, trouble: null };
    const note = (change: Partial<NotifierStatus>) => {
      const isMoved = change.state !== undefined && change.state !== status.state;
      status = { ...status, ...change, ...(isMoved ? { since: parts.clock.now() } : {}) };
      statuses.set(notifier.name, status);
    };
    note({});
    const one = new ToldNotifier(parts, notifier, () =>
      note({ state: "telling", told: status.told + 1, trouble: null }),
    );
    return keepTrying({
      ...{ clock: parts.clock, signal: stop.signal },
      attempt: (progressed) => one.run(stop.signal, progressed),
      onFailure: (error) => note({ state: "waiting", trouble: sentenceOf(error) }),
    });
  });
  return {
    status: () => [...statuses.values()],
    async close() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

class ToldNotifier {
  readonly #parts: StandingNoticesParts;
  readonly #notifier: StandingNotifier;
  readonly #onTold: () => void;
  readonly #alertedAt = new Map<string, number>();
  #failedAt: { readonly n: number; readonly times: number } = { n: 0, times: 0 };

  constructor(parts: StandingNoticesParts, notifier: StandingNotifier, onTold: () => void) {
    this.#parts = parts;
    this.#notifier = notifier;
    this.#onTold = onTold;
  }

  async run(signal: AbortSignal, progressed: () => void): Promise<void> {
    const { ledger, clock } = this.#parts;
    const { name } = this.#notifier;
    while (!signal.aborted) {
      const from = await takeNotifierTurn(ledger, { name, leaseMs });
      if (from !== null) {
        try {
          await this.#tellFrom(from, signal, progressed);
        } finally {
          await endNotifierTurn(ledger, name);
        }
      }
      await pause(clock, lookEveryMs, signal);
    }
  }

  async #tellFrom(from: number, signal: AbortSignal, progressed: () => void): Promise<void> {
    const { ledger, rules } = this.#parts;
    const { name } = this.#notifier;
    let n = from;
    while (!signal.aborted) {
      const entries = await readAuditAfter(ledger, { after: n, limit: readAtOnce });
      for (const entry of entries) {
        const notice = noticeOf(entry, rules);
        if (notice !== null && this.#isWanted(notice)) {
          await this.#tell(notice);
          await noteNotified(ledger, { name, n: entry.n, leaseMs });
          progressed();
        }
      }
      const last = entries.at(-1);
      if (last === undefined) return;
      n = last.n;
      await noteNotified(ledger, { name, n, leaseMs });
    }
  }

  #isWanted({ occasion, at, about }: Notice): boolean {
    const now = this.#parts.clock.now();
    if (!this.#notifier.when.includes(occasion) || now - Date.parse(at) > newsMs) return false;
    return occasion !== "alert" || now - (this.#alertedAt.get(about) ?? Number.NEGATIVE_INFINITY) >= repeatMs;
  }

  async #tell(notice: Notice): Promise<void> {
    try {
      await this.#notifier.tell(notice);
      if (notice.occasion === "alert") this.#alertedAt.set(notice.about, this.#parts.clock.now());
      this.#onTold();
    } catch (error) {
      const times = this.#failedAt.n === notice.n ? this.#failedAt.times + 1 : 1;
      this.#failedAt = { n: notice.n, times };
      if (times < mostTries) throw error;
    }
  }
}
