import { expect, it } from "vitest";
import { pause } from "../../domain/clock.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { type DrainedQueue, type StandingDrainsParts, standingDrains } from "./standing-drains.ts";

function drainsOf(wanted: { sources: readonly { readonly name: string; readonly queues: readonly string[] }[] }) {
  const clock = fakeClock();
  const begun: string[] = [];
  const standing = standingDrains({
    clock,
    sources: () => wanted.sources,
    queuesOf: async (name) => wanted.sources.find((each) => each.name === name)?.queues ?? [],
    async drain({ source, queue }: DrainedQueue, { signal, onProgress }) {
      begun.push(`${source}/${queue}`);
      const progress = { held: 2, known: 0, returned: 0, unacknowledged: 0 };
      onProgress(progress);
      await pause(clock, 1e9, signal);
      return progress;
    },
  });
  const names = () => standing.status().map(({ source, queue }) => `${source}/${queue}`);
  return { clock, begun, standing, names };
}

it("drains a source that is connected while the office runs, and leaves one alone that was let go of", async () => {
  const wanted = { sources: [{ name: "a", queues: ["x.dlq"] }] };
  const { clock, begun, standing, names } = drainsOf(wanted);
  await clock.advance(3_000);
  expect(standing.status()).toMatchObject([{ source: "a", queue: "x.dlq", state: "draining", held: 2 }]);
  wanted.sources = [...wanted.sources, { name: "b", queues: ["y.dlq"] }];
  await clock.advance(3_000);
  expect(names()).toEqual(["a/x.dlq", "b/y.dlq"]);
  wanted.sources = [{ name: "b", queues: ["y.dlq"] }];
  await clock.advance(3_000);
  expect(names()).toEqual(["b/y.dlq"]);
  expect(begun).toEqual(["a/x.dlq", "b/y.dlq"]);
  await standing.close();
});

it("stops and begins with single queues as soon as somebody says so", async () => {
  const wanted = { sources: [{ name: "a", queues: ["x.dlq", "y.dlq"] }] };
  const { clock, begun, standing, names } = drainsOf(wanted);
  await clock.advance(3_000);
  wanted.sources = [{ name: "a", queues: ["y.dlq"] }];
  await clock.advance(3_000);
  expect(names()).toEqual(["a/y.dlq"]);
  wanted.sources = [{ name: "a", queues: ["x.dlq", "y.dlq"] }];
  await clock.advance(3_000);
  expect(names().sort()).toEqual(["a/x.dlq", "a/y.dlq"]);
  expect(begun).toEqual(["a/x.dlq", "a/y.dlq", "a/x.dlq"]);
  await standing.close();
});

it("says what keeps it from finding the queues of a source, and nothing of a source that is gone", async () => {
  const clock = fakeClock();
  let sources = [{ name: "a" }];
  const standing = standingDrains({
    ...{ clock, sources: () => sources, drain: () => Promise.reject(new Error("nothing is drained")) },
    queuesOf: () => Promise.reject(new Error("connect ECONNREFUSED")),
  });
  await clock.advance(1_000);
  expect(standing.status()).toMatchObject([{ source: "a", queue: "*", trouble: "connect ECONNREFUSED" }]);
  sources = [];
  await clock.advance(2_000);
  expect(standing.status()).toEqual([]);
  await standing.close();
});

it("says since when a queue cannot be drained, through all that is tried, until the broker lets it in", async () => {
  const clock = fakeClock();
  const begunAt = clock.now();
  let hooks: Parameters<StandingDrainsParts["drain"]>[1] | undefined;
  let isAway = true;
  const standing = standingDrains({
    ...{ clock, sources: () => [{ name: "a" }], queuesOf: async () => ["x.dlq"] },
    async drain(_, given) {
      await pause(clock, 2_000, given.signal);
      if (isAway) throw new Error("connect ECONNREFUSED");
      hooks = given;
      given.onListening();
      await pause(clock, 1e9, given.signal);
      return { held: 0, known: 0, returned: 0, unacknowledged: 0 };
    },
  });
  const troubledForMs = () => {
    const since = standing.status()[0]?.troubledSince ?? null;
    return since === null ? null : clock.now() - since;
  };
  await clock.advance(600_000);
  expect(troubledForMs()).toBeGreaterThan(clock.now() - begunAt - 10_000);
  isAway = false;
  await clock.advance(60_000);
  expect(standing.status()).toMatchObject([{ state: "draining", trouble: null, troubledSince: null }]);

  hooks?.onIncident({ kind: "connection-lost", error: new Error("ECONNRESET") });
  await clock.advance(120_000);
  expect(troubledForMs()).toBe(120_000);
  hooks?.onIncident({ kind: "connection-restored" });
  expect(troubledForMs()).toBeNull();
  // A ledger that takes nothing is asked again and again, by a drain that goes on.
  hooks?.onIncident({ kind: "settle-failed", error: new Error("its disk is full") });
  await clock.advance(60_000);
  expect(troubledForMs()).toBe(60_000);
  hooks?.onProgress({ held: 1, known: 0, returned: 0, unacknowledged: 0 });
  expect(troubledForMs()).toBeNull();
  // Of a single letter: the queue is drained.
  hooks?.onIncident({ kind: "delivery-lost", error: new Error("too late") });
  expect(standing.status()).toMatchObject([{ trouble: "too late", troubledSince: null }]);
  await standing.close();
});

it("says since when it cannot find the queues of a source, however often it looked", async () => {
  const clock = fakeClock();
  const standing = standingDrains({
    ...{ clock, sources: () => [{ name: "a" }], drain: () => Promise.reject(new Error("nothing is drained")) },
    queuesOf: () => Promise.reject(new Error("connect ECONNREFUSED")),
  });
  await clock.advance(1_000);
  const [first] = standing.status();
  await clock.advance(600_000);
  expect(standing.status()).toMatchObject([{ queue: "*", troubledSince: first?.troubledSince }]);
  await standing.close();
});
