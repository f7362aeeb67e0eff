import type { Clock } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { refuseUnknownNames } from "../domain/options.ts";
import { type Timed, TimeHeap } from "../domain/time-heap.ts";
import { systemClock } from "../system/host.ts";
import type { Inbox, InboxEntry, InboxOutcome, Turn } from "./inbox.ts";

/** How handlers' own writes are made to stand or fall with what the inbox remembers. */
export interface Transactions<Tx> {
  begin(): Tx;
  commit(tx: Tx): void | Promise<void>;
  /** Also called after a commit that failed. */
  rollback(tx: Tx): void;
}

export interface MemoryInboxOptions<Tx> {
  /** What leases and windows go by. @default the host's clock */
  readonly clock?: Clock;
  /** @default none: handlers get `undefined` for `tx` */
  readonly transactions?: Transactions<Tx>;
}

/** An inbox as long-lived as this object. Consumers that share it share what it remembers. */
export function memoryInbox(options?: { readonly clock?: Clock }): Inbox;
export function memoryInbox<Tx>(
  options: MemoryInboxOptions<Tx> & { readonly transactions: Transactions<Tx> },
): Inbox<Tx>;
export function memoryInbox<Tx>(options: MemoryInboxOptions<Tx> = {}): Inbox<Tx> | Inbox {
  refuseUnknownNames(Object.keys(options), ["clock", "transactions"]);
  const { clock = systemClock, transactions } = options;
  return transactions ? new MemoryInbox(clock, transactions) : new MemoryInbox(clock, noTransactions);
}

const noTransactions: Transactions<undefined> = { begin: () => undefined, commit: () => {}, rollback: () => {} };

/** What is known of one key. */
interface Row extends Timed {
  readonly name: string;
  /** While "working", `at` is when the turn may be taken over; once "done", when it is forgotten. */
  state: "working" | "committing" | "done" | "over";
}

class MemoryInbox<Tx> implements Inbox<Tx> {
  readonly #clock: Clock;
  readonly #transactions: Transactions<Tx>;
  readonly #rows = new Map<string, Row>();
  readonly #remembered = new TimeHeap<Row>();
  #seq = 0;

  constructor(clock: Clock, transactions: Transactions<Tx>) {
    this.#clock = clock;
    this.#transactions = transactions;
  }

  async once(entry: InboxEntry, work: (turn: Turn<Tx>) => Promise<void>): Promise<InboxOutcome> {
    this.#forget();
    const name = rowName(entry);
    const known = this.#rows.get(name);
    if (known !== undefined && !this.#isLapsed(known)) return known.state === "done" ? "duplicate" : "busy";
    return this.#work(name, entry, work);
  }

  async without(work: (tx: Tx) => Promise<void>): Promise<void> {
    const tx = this.#transactions.begin();
    try {
      await work(tx);
      await this.#transactions.commit(tx);
    } catch (error) {
      this.#transactions.rollback(tx);
      throw error;
    }
  }

  async #work(name: string, entry: InboxEntry, work: (turn: Turn<Tx>) => Promise<void>): Promise<"ran"> {
    const tx = this.#transactions.begin();
    const row = this.#claim(name, entry.leaseMs);
    const turn: Turn<Tx> = {
      tx,
      extend: async (ms) => this.#extend(row, ms),
      abandon: () => {
        if (row.state === "working") this.#release(row, tx);
      },
    };
    try {
      await work(turn);
      this.#requireOwn(row);
      // From here nobody can take over: the check and the commit are one step for everybody else.
      row.state = "committing";
      await this.#transactions.commit(tx);
    } catch (error) {
      this.#release(row, tx);
      throw error;
    }
    this.#remember(row, entry.windowMs);
    return "ran";
  }

  #isLapsed(row: Row): boolean {
    return row.state === "working" && row.at <= this.#clock.now();
  }

  /** The row itself is the fence: a turn whose row is no longer in the table was taken over. */
  #claim(name: string, leaseMs: number): Row {
    this.#seq += 1;
    const row: Row = { name, seq: this.#seq, slot: -1, at: this.#clock.now() + leaseMs, state: "working" };
    this.#rows.set(name, row);
    return row;
  }

  #isOwn(row: Row): boolean {
    return row.state !== "over" && this.#rows.get(row.name) === row;
  }

  #extend(row: Row, ms: number): boolean {
    if (!this.#isOwn(row) || row.state === "done") return false;
    row.at = this.#clock.now() + ms;
    return true;
  }

  #requireOwn(row: Row): void {
    if (this.#isOwn(row)) return;
    throw new OfficeError("TRANSACTION_OVER", "The turn at this message was lost or given up: nothing of it is kept.");
  }

  #release(row: Row, tx: Tx): void {
    if (row.state === "over" || row.state === "done") return;
    if (this.#isOwn(row)) this.#rows.delete(row.name);
    row.state = "over";
    this.#transactions.rollback(tx);
  }

  #remember(row: Row, windowMs: number): void {
    row.state = "done";
    row.at = this.#clock.now() + windowMs;
    this.#remembered.push(row);
  }

  #forget(): void {
    const now = this.#clock.now();
    for (let row = this.#remembered.popDue(now); row !== undefined; row = this.#remembered.popDue(now)) {
      this.#rows.delete(row.name);
    }
  }
}

/** The length keeps a scope and a key from being taken for another pair with the same letters. */
function rowName({ scope, key }: InboxEntry): string {
  return `${scope.length}:${scope}${key}`;
}
