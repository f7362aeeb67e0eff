import { type Clock, pause } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { endNotifierTurn, type NotifierTurn, noteNotified, takeNotifierTurn } from "../../ledger/notifier-turns.ts";
import { readAuditAfter } from "../../ledger/read-changes.ts";
import { officeItself } from "../intake/own-drain.ts";
import { keepTrying, sentenceOf } from "../keep-trying.ts";
import { changedStatus, type LastTrouble } from "../last-trouble.ts";
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
  readonly lastTrouble: LastTrouble | null;
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
/** One that it refuses each time must not keep it from all others. One that is away is tried for as long as there is news. */
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
    const untroubled = { trouble: null, lastTrouble: null };
    let status: NotifierStatus = { name: notifier.name, state: "telling", since, told: 0, ...untroubled };
    const note = (change: Partial<NotifierStatus>) => {
      const isMoved = change.state !== undefined && change.state !== status.state;
      const now = parts.clock.now();
      status = changedStatus(status, isMoved ? { ...change, since: now } : change, now);
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
  #refused: { readonly n: number; readonly times: number } = { n: 0, times: 0 };
  #turn: NotifierTurn | null = null;

  constructor(parts: StandingNoticesParts, notifier: StandingNotifier, onTold: () => void) {
    this.#parts = parts;
    this.#notifier = notifier;
    this.#onTold = onTold;
  }

  async run(signal: AbortSignal, progressed: () => void): Promise<void> {
    const { ledger, clock } = this.#parts;
    while (!signal.aborted) {
      this.#turn = await takeNotifierTurn(ledger, { name: this.#notifier.name, leaseMs });
      try {
        await this.#tellAll(signal, progressed);
      } finally {
        if (this.#turn !== null) await endNotifierTurn(ledger, this.#turn);
      }
      await pause(clock, lookEveryMs, signal);
    }
  }

  /** For as long as it is this process's turn. */
  async #tellAll(signal: AbortSignal, progressed: () => void): Promise<void> {
    const { ledger, rules } = this.#parts;
    while (this.#turn !== null && !signal.aborted) {
      const entries = await readAuditAfter(ledger, { after: this.#turn.n, limit: readAtOnce });
      const last = entries.at(-1);
      if (last === undefined) return;
      for (const entry of entries) {
        const notice = noticeOf(entry, rules);
        if (notice === null || !this.#isWanted(notice)) continue;
        await this.#tell(notice);
        await this.#note(entry.n);
        if (this.#turn === null) return;
        progressed();
      }
      await this.#note(last.n);
    }
  }

  async #note(n: number): Promise<void> {
    if (this.#turn !== null) this.#turn = await noteNotified(this.#parts.ledger, this.#turn, { n, leaseMs });
  }

  #isWanted({ occasion, about, to = [], isEach = false }: Notice): boolean {
    const { name, when } = this.#notifier;
    if (to.length > 0 ? !to.includes(name) : !when.includes(occasion)) return false;
    if (isEach) return true;
    const alertedAt = this.#alertedAt.get(about) ?? Number.NEGATIVE_INFINITY;
    return occasion !== "alert" || this.#parts.clock.now() - alertedAt >= repeatMs;
  }

  async #tell(notice: Notice): Promise<void> {
    if (this.#parts.clock.now() - Date.parse(notice.at) > newsMs) return this.#drop(notice, "older than four hours");
    try {
      await this.#notifier.tell(notice);
      if (notice.occasion === "alert") this.#alertedAt.set(notice.about, this.#parts.clock.now());
      this.#onTold();
    } catch (error) {
      if (!isRefused(error)) throw error;
      const times = this.#refused.n === notice.n ? this.#refused.times + 1 : 1;
      this.#refused = { n: notice.n, times };
      if (times < mostTries) throw error;
      await this.#drop(notice, sentenceOf(error));
    }
  }

  /** Whoever was not told finds out at least afterwards. */
  async #drop({ n, type, about }: Notice, because: string): Promise<void> {
    const { ledger, clock } = this.#parts;
    const details = { notifier: this.#notifier.name, entry: n, about, told: type, because };
    const entry = { at: clock.now(), actor: officeItself, action: "notice.dropped", details };
    await recordAction(ledger, ledger.database, entry);
  }
}

/** It is there, and says no to what it was told: 408, 425 and 429 say not now. */
function isRefused(error: unknown): boolean {
  const status = isOfficeError(error, "WEBHOOK_FAILED") ? Number(error.details.status) : Number.NaN;
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}
