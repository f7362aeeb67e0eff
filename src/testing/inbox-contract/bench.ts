import { pause } from "../../domain/clock.ts";
import type { Inbox, InboxEntry, Turn } from "../../stores/inbox.ts";
import { systemClock } from "../../system/host.ts";
import type { ContractPromise, Exemptions } from "../contract.ts";
import { eventually } from "../eventually.ts";

/** An inbox as it is put to the test. */
export interface InboxSubject<Tx> {
  /** An empty store for one test. */
  open(): Promise<InboxUnderTest<Tx>>;
  /** Promises this store cannot keep, by title, each with why. */
  readonly exempt?: Exemptions;
  /** Whether handlers get a transaction. Without one, promises about it are not tested. */
  readonly transactional: boolean;
}

export interface InboxUnderTest<Tx> {
  readonly inbox: Inbox<Tx>;
  /** The same store as another process sees it. @default `inbox` */
  readonly other?: Inbox<Tx>;
  /** Writes a line in the transaction, as a handler would. */
  write?(tx: Tx, line: string): Promise<void>;
  /** All lines that were committed. */
  lines?(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A lease or window that is over soon, in milliseconds. */
export const shortMs = 300;

/** For what must be done before it is over, also on a busy machine. */
export const ampleMs = 2_000;

export type InboxPromise = ContractPromise<InboxBench>;
type Work = (turn: Turn<unknown>) => Promise<void>;

/** What one test works with. */
export class InboxBench {
  readonly inbox: Inbox<unknown>;
  readonly other: Inbox<unknown>;
  readonly #store: InboxUnderTest<unknown>;
  readonly #ends: (() => void)[] = [];
  readonly #begun: Promise<unknown>[] = [];

  constructor(store: InboxUnderTest<unknown>) {
    this.#store = store;
    this.inbox = store.inbox;
    this.other = store.other ?? store.inbox;
  }

  /** Work that does nothing, at the key "k" unless said otherwise. */
  once(entry: Partial<InboxEntry> = {}, work: Work = () => Promise.resolve(), inbox = this.inbox) {
    return inbox.once(entryOf(entry), work);
  }

  /** Begins work that ends only when it is told to. */
  async begin(entry: Partial<InboxEntry> = {}, work: Work = () => Promise.resolve()) {
    let turn: Turn<unknown> | undefined;
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const outcome = this.once(entry, async (given) => {
      turn = given;
      await work(given);
      await ended;
    });
    // Whether it rejects is for the test to see; nobody need be looking yet when it does.
    outcome.catch(() => {});
    this.#ends.push(end);
    this.#begun.push(outcome);
    await eventually(() => turn !== undefined);
    return { turn: turn as unknown as Turn<unknown>, end, outcome };
  }

  write(tx: unknown, line: string): Promise<void> {
    if (!this.#store.write) throw new Error("A transactional subject has to offer `write`.");
    return this.#store.write(tx, line);
  }

  lines(): Promise<readonly string[]> {
    if (!this.#store.lines) throw new Error("A transactional subject has to offer `lines`.");
    return this.#store.lines();
  }

  quiet(ms: number): Promise<void> {
    return pause(systemClock, ms);
  }

  async clear(): Promise<void> {
    for (const end of this.#ends) end();
    await Promise.allSettled(this.#begun);
  }
}

function entryOf(entry: Partial<InboxEntry>): InboxEntry {
  return { scope: "orders", key: "k", windowMs: 60_000, leaseMs: 30_000, ...entry };
}
