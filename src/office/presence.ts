import { type Clock, pause } from "../domain/clock.ts";
import type { Database, Transaction } from "../domain/database.ts";
import { isOfficeError, OfficeError } from "../domain/errors.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type OfficeProcess, registerProcess, removeProcess } from "../ledger/processes.ts";
import { gistOf, tellWork } from "./told-work.ts";
import type { WorkStatus } from "./work-status.ts";

/** What a process does at this moment. */
export interface Doing {
  readonly work: WorkStatus;
  /** How many follow its live stream. */
  readonly followers: number;
}

/** One that was killed, or stands still, counts as living for so long. */
const leaseMs = 30_000;
const beatMs = 10_000;
/** What is new in what it does is told within this. */
const lookMs = 2_000;
/** An answer that took longer says too little of the ledger's clock. */
const promptMs = 1_000;
/** What is asked has so long to reach the ledger before others may take this process for gone. */
const onTheWayMs = 5_000;

/**
 * That this process lives, as others see it in the ledger. Whoever was silent for longer than the lease may have been taken for
 * gone, and the tables changed without it: then nothing is asked of a guarded database before the ledger has let it go on.
 */
export class Presence {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #over = new AbortController();
  /** Gives the ledger's time. */
  #renew: (() => Promise<number>) | null = null;
  #renewedAt = 0;
  #renewing: Promise<void> | null = null;
  #beating: Promise<void> = Promise.resolve();
  #leave: () => Promise<void> = async () => {};
  #id: string | null = null;
  #clockAheadMs: number | null = null;
  #gist = "";

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Aborts when this process may not go on; the reason is an error that says why. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Of this process, as others see it; null before it has begun. */
  get id(): string | null {
    return this.#id;
  }

  /**
   * Resolves when the ledger has this process among those that live; says so again until it is closed, and what the process does.
   * Takes a ledger that is not guarded.
   */
  async begin(ledger: Ledger, process: OfficeProcess, look: () => Doing): Promise<void> {
    this.#id = process.id;
    this.#renew = () => {
      const { work, followers } = look();
      this.#gist = gistOf(work);
      const told = { work: tellWork(work, this.#clock.now()), clockAheadMs: this.#clockAheadMs, followers };
      return registerProcess(ledger, process, told, leaseMs);
    };
    this.#leave = () => removeProcess(ledger, process.id);
    await this.#renewed();
    this.#beating = this.#beat(() => gistOf(look().work) !== this.#gist);
  }

  /** Takes leave. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#beating;
    this.#renew = null;
    // If this fails, its lease lapses by itself. Who may not go on writes nothing any more, not even that.
    if (!this.over.aborted) await this.#leave().catch(() => {});
  }

  /** Costs a look at the clock for each statement, and a question only after silence. */
  guard(database: Database): Database {
    return {
      ...database,
      query: async (text, values) => {
        if (this.#isInDoubt()) await this.#renewed();
        return database.query(text, values);
      },
      transaction: async (run) => {
        if (this.#isInDoubt()) await this.#renewed();
        return database.transaction((transaction) => run(this.#within(transaction)));
      },
    };
  }

  /** What was begun before the silence is not gone on with: the next attempt asks first. */
  #within(transaction: Transaction): Transaction {
    const requireStanding = () => {
      if (this.#isInDoubt()) throw stoodStill();
    };
    return {
      client: transaction.client,
      get busy() {
        return transaction.busy;
      },
      query: async (text, values) => {
        requireStanding();
        return transaction.query(text, values);
      },
      copyIn: async (...tables) => {
        requireStanding();
        return transaction.copyIn(...tables);
      },
      discard: () => transaction.discard(),
    };
  }

  #isInDoubt(): boolean {
    if (this.over.aborted) return true;
    return this.#renew !== null && this.#clock.now() - this.#renewedAt > leaseMs - onTheWayMs;
  }

  /** Once for all who wait for it. */
  #renewed(): Promise<void> {
    if (this.over.aborted) return Promise.reject(this.over.reason);
    this.#renewing ??= this.#askLedger().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #askLedger(): Promise<void> {
    const askedAt = this.#clock.now();
    try {
      const ledgerNow = await this.#renew?.();
      this.#renewedAt = askedAt;
      this.#compareClocks(askedAt, ledgerNow ?? Number.NaN);
    } catch (error) {
      if (isOfficeError(error, "SCHEMA_MISMATCH")) this.#over.abort(error);
      throw error;
    }
  }

  /** The ledger answered somewhere between the question and now. */
  #compareClocks(askedAt: number, ledgerNow: number): void {
    const tookMs = this.#clock.now() - askedAt;
    if (tookMs <= promptMs && !Number.isNaN(ledgerNow)) this.#clockAheadMs = askedAt + tookMs / 2 - ledgerNow;
  }

  async #beat(hasNews: () => boolean): Promise<void> {
    const { signal } = this.#stop;
    for (;;) {
      await pause(this.#clock, lookMs, signal);
      if (signal.aborted || this.over.aborted) return;
      const silentMs = this.#clock.now() - this.#renewedAt;
      // Of a clock that was set back nobody knows how long ago that was.
      if (silentMs >= 0 && silentMs < beatMs && !hasNews()) continue;
      // The database may be away: then nobody else hears of anything either.
      await this.#renewed().catch(() => {});
    }
  }
}

function stoodStill(): OfficeError {
  return new OfficeError(
    "TRANSACTION_OVER",
    "This process stood still for longer than others wait for it, in the middle of something. None of that was written; it begins anew.",
  );
}
