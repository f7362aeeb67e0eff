import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { pause } from "../domain/clock.ts";
import type { Inbox, InboxEntry, InboxOutcome, Turn } from "../stores/inbox.ts";
import { systemClock } from "../system/host.ts";
import { type ContractPromise, type ContractTest, contractTests, type Exemptions } from "./contract.ts";
import { eventually } from "./eventually.ts";

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

type Work<Tx> = (turn: Turn<Tx>) => Promise<void>;

/** What every inbox promises, one test a promise. */
export function inboxContract<Tx>(subject: InboxSubject<Tx>): readonly ContractTest[] {
  const waived = subject.transactional ? undefined : "has no transactions";
  const promises: readonly ContractPromise<InboxBench<Tx>>[] = [
    ...remembering<Tx>(),
    ...turns<Tx>(),
    ...transactions<Tx>().map((promise) => ({ ...promise, waived })),
  ];
  return contractTests(promises, subject.exempt ?? {}, async (run) => {
    const store = await subject.open();
    const bench = new InboxBench(store);
    try {
      await run(bench);
    } finally {
      await bench.clear();
      await store.close();
    }
  });
}

const shortMs = 300;

/** What one test works with. */
class InboxBench<Tx> {
  readonly inbox: Inbox<Tx>;
  readonly other: Inbox<Tx>;
  readonly #store: InboxUnderTest<Tx>;
  readonly #ends: (() => void)[] = [];
  readonly #begun: Promise<unknown>[] = [];

  constructor(store: InboxUnderTest<Tx>) {
    this.#store = store;
    this.inbox = store.inbox;
    this.other = store.other ?? store.inbox;
  }

  /** Work that does nothing, at the key "k" unless said otherwise. */
  once(entry: Partial<InboxEntry> = {}, work: Work<Tx> = () => Promise.resolve(), inbox = this.inbox) {
    return inbox.once(entryOf(entry), work);
  }

  /** Begins work that ends only when it is told to. */
  async begin(entry: Partial<InboxEntry> = {}, work: Work<Tx> = () => Promise.resolve()) {
    let turn: Turn<Tx> | undefined;
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
    return { turn: turn as unknown as Turn<Tx>, end, outcome };
  }

  write(tx: Tx, line: string): Promise<void> {
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

function remembering<Tx>(): readonly ContractPromise<InboxBench<Tx>>[] {
  return [
    {
      title: "runs the work of a key once, and calls the next a duplicate",
      async run(bench) {
        let runs = 0;
        const work = async () => {
          runs += 1;
        };
        deepEqual([await bench.once({}, work), await bench.once({}, work)], ["ran", "duplicate"]);
        equal(runs, 1);
      },
    },
    {
      title: "remembers for other processes too",
      async run(bench) {
        await bench.once();
        equal(await bench.once({}, undefined, bench.other), "duplicate");
      },
    },
    {
      title: "takes the same key in another scope for another message",
      async run(bench) {
        await bench.once({ scope: "ab", key: "c" });
        equal(await bench.once({ scope: "a", key: "bc" }), "ran");
        equal(await bench.once({ scope: "", key: "abc" }), "ran");
      },
    },
    {
      title: "takes any text for a key, and tells keys apart to the last letter",
      async run(bench) {
        const keys = [
          "",
          " ",
          "K",
          "k",
          "ключ 🙂",
          "with\u0000nul",
          "x".repeat(5_000),
          `${"x".repeat(4_999)}y`,
          "k'; --",
        ];
        for (const key of keys) equal(await bench.once({ key }), "ran", key.slice(0, 20));
        for (const key of keys) equal(await bench.once({ key }), "duplicate", key.slice(0, 20));
      },
    },
    {
      title: "remembers only success: rejects as the work did, and the next try runs",
      async run(bench) {
        const failure = new Error("the payment was refused");
        await rejects(
          bench.once({}, () => Promise.reject(failure)),
          (error) => error === failure,
        );
        equal(await bench.once(), "ran");
      },
    },
    {
      title: "forgets a success when its window is over, and not before",
      async run(bench) {
        await bench.once({ windowMs: shortMs });
        equal(await bench.once({ windowMs: shortMs }), "duplicate");
        await eventually(async () => (await bench.once({ windowMs: shortMs })) === "ran");
      },
    },
    {
      title: "does not prolong the window when a duplicate comes",
      async run(bench) {
        await bench.once({ windowMs: shortMs });
        const outcomes: InboxOutcome[] = [];
        await eventually(async () => {
          outcomes.push(await bench.once({ windowMs: 60_000 }));
          return outcomes.at(-1) === "ran";
        });
        ok(outcomes.length > 1);
      },
    },
    {
      title: "remembers nothing of work without a key",
      async run(bench) {
        await bench.inbox.without(() => Promise.resolve());
        equal(await bench.once(), "ran");
      },
    },
  ];
}

function turns<Tx>(): readonly ContractPromise<InboxBench<Tx>>[] {
  return [
    {
      title: "lets exactly one of many callers run",
      async run(bench) {
        let runs = 0;
        const outcomes = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            bench.once(
              {},
              async () => {
                runs += 1;
                await bench.quiet(30);
              },
              index % 2 === 0 ? bench.inbox : bench.other,
            ),
          ),
        );
        deepEqual([runs, outcomes.filter((outcome) => outcome === "ran").length], [1, 1]);
      },
    },
    {
      title: "calls a key busy while somebody is at work",
      async run(bench) {
        const { end, outcome } = await bench.begin();
        equal(await bench.once({}, undefined, bench.other), "busy");
        end();
        equal(await outcome, "ran");
        equal(await bench.once({}, undefined, bench.other), "duplicate");
      },
    },
    {
      title: "keeps the turn of whoever extends it in time",
      async run(bench) {
        const { turn, end, outcome } = await bench.begin({ leaseMs: shortMs });
        for (let round = 0; round < 4; round++) {
          ok(await turn.extend(shortMs));
          await bench.quiet(shortMs / 2);
          equal(await bench.once({}, undefined, bench.other), "busy");
        }
        end();
        equal(await outcome, "ran");
      },
    },
    {
      title: "gives the turn of a caller that stood still to the next",
      async run(bench) {
        await bench.begin({ leaseMs: shortMs });
        await bench.quiet(shortMs + 50);
        equal(await bench.once({}, undefined, bench.other), "ran");
      },
    },
    {
      title: "rejects a caller that lost its turn, however well its work ended",
      async run(bench) {
        const { turn, end, outcome } = await bench.begin({ leaseMs: shortMs });
        await bench.quiet(shortMs + 50);
        const next = await bench.begin();
        equal(await turn.extend(30_000), false);
        end();
        await rejects(outcome);
        equal(await bench.once(), "busy");
        next.end();
        equal(await next.outcome, "ran");
      },
    },
    {
      title: "remembers nothing of work that was abandoned, however well it ended",
      async run(bench) {
        await rejects(bench.once({}, async (turn) => turn.abandon()));
        equal(await bench.once(), "ran");
      },
    },
    {
      title: "rejects as abandoned work did",
      async run(bench) {
        const failure = new Error("out of time");
        const giveUp = async (turn: Turn<Tx>) => {
          turn.abandon();
          throw failure;
        };
        await rejects(bench.once({}, giveUp), (error) => error === failure);
        equal(await bench.once(), "ran");
      },
    },
  ];
}

function transactions<Tx>(): readonly ContractPromise<InboxBench<Tx>>[] {
  return [
    {
      title: "commits what was written together with the success",
      async run(bench) {
        await bench.once({}, ({ tx }) => bench.write(tx, "kept"));
        deepEqual(await bench.lines(), ["kept"]);
      },
    },
    {
      title: "takes back what was written when the work rejects",
      async run(bench) {
        const work = async ({ tx }: Turn<Tx>) => {
          await bench.write(tx, "gone");
          throw new Error("no");
        };
        await rejects(bench.once({}, work));
        deepEqual(await bench.lines(), []);
      },
    },
    {
      title: "takes back what was written when the work is abandoned",
      async run(bench) {
        const work = async (turn: Turn<Tx>) => {
          await bench.write(turn.tx, "gone");
          turn.abandon();
        };
        await rejects(bench.once({}, work));
        await bench.once({}, ({ tx }) => bench.write(tx, "kept"));
        deepEqual(await bench.lines(), ["kept"]);
      },
    },
    {
      title: "takes back what a caller wrote that lost its turn",
      async run(bench) {
        const late = await bench.begin({ leaseMs: shortMs }, ({ tx }) => bench.write(tx, "late"));
        await bench.quiet(shortMs + 50);
        equal(await bench.once({}, ({ tx }) => bench.write(tx, "kept"), bench.other), "ran");
        late.end();
        await rejects(late.outcome);
        deepEqual(await bench.lines(), ["kept"]);
      },
    },
    {
      title: "commits what was written without a key, or takes it back when the work rejects",
      async run(bench) {
        await bench.inbox.without((tx) => bench.write(tx, "kept"));
        const failing = async (tx: Tx) => {
          await bench.write(tx, "gone");
          throw new Error("no");
        };
        await rejects(bench.inbox.without(failing));
        deepEqual(await bench.lines(), ["kept"]);
      },
    },
  ];
}
