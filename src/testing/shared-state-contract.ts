import { deepEqual, equal, ok } from "node:assert/strict";
import type { SharedState } from "../stores/shared-state.ts";
import { type ContractPromise, type ContractTest, contractTests, type Exemptions } from "./contract.ts";

/** A store of shared documents as it is put to the test. */
export interface SharedStateSubject {
  /** An empty store for one test. */
  open(): Promise<SharedStateUnderTest>;
  /** Promises this store cannot keep, by title, each with why. */
  readonly exempt?: Exemptions;
}

export interface SharedStateUnderTest {
  readonly state: SharedState;
  /** The same store as another process sees it. @default `state` */
  readonly other?: SharedState;
  close(): Promise<void>;
}

interface Bench {
  readonly state: SharedState;
  readonly other: SharedState;
}

/** What every store of shared documents promises, one test a promise. */
export function sharedStateContract(subject: SharedStateSubject): readonly ContractTest[] {
  return contractTests(promises, subject.exempt ?? {}, async (run) => {
    const { state, other = state, close } = await subject.open();
    try {
      await run({ state, other });
    } finally {
      await close();
    }
  });
}

/** Writes a document that nobody wrote before; its version. */
async function create({ state }: Bench, name: string, value: unknown): Promise<number> {
  ok(await state.replace(name, null, value));
  const { version } = await state.read(name);
  ok(version !== null);
  return version;
}

const promises: readonly ContractPromise<Bench>[] = [
  {
    title: "has no value and no version of what nobody wrote",
    async run({ state }) {
      const { value, version } = await state.read("nobody");
      deepEqual([value, version], [undefined, null]);
    },
  },
  {
    title: "shows what was written to every process",
    async run(bench) {
      await create(bench, "breaker", { state: "open" });
      deepEqual((await bench.other.read("breaker")).value, { state: "open" });
    },
  },
  {
    title: "gives a document back as it was written",
    async run(bench) {
      const value = { list: [1, -0.5, 1e15, "", "ünï", null, true, { deep: [[]] }], "odd key": {} };
      await create(bench, "doc", value);
      deepEqual((await bench.state.read("doc")).value, value);
    },
  },
  {
    title: "replaces a document that still has the version read",
    async run(bench) {
      const version = await create(bench, "doc", "first");
      equal(await bench.other.replace("doc", version, "second"), true);
      const after = await bench.state.read("doc");
      equal(after.value, "second");
      ok(after.version !== version);
    },
  },
  {
    title: "refuses to replace a document that was changed meanwhile, and leaves it alone",
    async run(bench) {
      const version = await create(bench, "doc", "first");
      ok(await bench.other.replace("doc", version, "second"));
      equal(await bench.state.replace("doc", version, "third"), false);
      equal((await bench.state.read("doc")).value, "second");
    },
  },
  {
    title: "refuses to write as new what exists already",
    async run(bench) {
      await create(bench, "doc", "first");
      equal(await bench.other.replace("doc", null, "second"), false);
      equal((await bench.state.read("doc")).value, "first");
    },
  },
  {
    title: "refuses to replace what nobody wrote",
    async run({ state }) {
      equal(await state.replace("doc", 1, "first"), false);
      equal((await state.read("doc")).version, null);
    },
  },
  {
    title: "lets exactly one of many win who replace the same version",
    async run(bench) {
      const race = (version: number | null) =>
        Promise.all([1, 2, 3, 4].map((n) => (n % 2 ? bench.state : bench.other).replace("doc", version, n)));
      const winners = (results: readonly boolean[]) => results.filter(Boolean).length;
      equal(winners(await race(null)), 1);
      equal(winners(await race((await bench.state.read("doc")).version)), 1);
    },
  },
  {
    title: "keeps documents apart by name",
    async run(bench) {
      const names = ["a", "A", "a ", "a.b", "a/b", "ü", "x".repeat(500)];
      for (const name of names) await create(bench, name, name);
      for (const name of names) equal((await bench.state.read(name)).value, name);
    },
  },
  {
    title: "does not change when what was read from it, or written to it, is changed",
    async run(bench) {
      const written = { tokens: 1 };
      await create(bench, "doc", written);
      written.tokens = 2;
      const read = (await bench.state.read("doc")).value as { tokens: number };
      read.tokens = 3;
      deepEqual((await bench.state.read("doc")).value, { tokens: 1 });
    },
  },
  {
    title: "tells the time by one clock that does not go backwards",
    async run(bench) {
      const before = (await bench.state.read("doc")).now;
      await create(bench, "doc", 1);
      const after = (await bench.other.read("doc")).now;
      ok(Number.isFinite(before) && after >= before, `${before}, then ${after}`);
    },
  },
];
