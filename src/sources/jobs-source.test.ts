import { expect, it, onTestFinished } from "vitest";
import type { Clock } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { done, makeMessage } from "../domain/message.ts";
import { type FailedJob, type JobFailure, type JobFramework, showFailure } from "../jobs/job-framework.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { jobsSource } from "./jobs-source.ts";

/** A framework in memory, whose queue `orders` has those jobs among the failed. */
function framework(jobs: readonly (readonly [id: string, failedAt: number])[], clock: Clock) {
  const failed = new Map(jobs);
  const pending = new Set<string>();
  const has = ({ id, failedAt }: JobFailure) => failed.get(id) === Number(failedAt);
  const state = { failed, pending, isAway: false, pages: 0, asked: [] as string[] };
  const self: JobFramework = {
    unitsPerSecond: 1_000,
    now: async () => clock.now(),
    product: async () => "memory",
    queues: async () => [],
    look: async (name) => (name === "orders" ? { name, failed: failed.size, pending: pending.size } : null),
    async list(queue, from, limit) {
      state.pages += 1;
      if (state.isAway) throw new OfficeError("TRANSPORT_UNAVAILABLE", "It is away.");
      return [...failed]
        .filter(([, failedAt]) => from === null || failedAt >= Number(from))
        .sort(([one, a], [other, b]) => a - b || (one < other ? -1 : 1))
        .slice(0, limit)
        .map(
          ([id, at]): FailedJob => ({
            queue,
            id,
            failedAt: String(at),
            message: id === "bare" ? null : makeMessage({}),
          }),
        );
    },
    outlook: () => ({ kind: "runs", runs: 3 }),
    standings: async (asked) => {
      state.asked.push(...asked.map(({ id }) => id));
      return asked.map((job) => (has(job) ? "failed" : pending.has(job.id) ? "pending" : "over"));
    },
    async putBack(job) {
      if (job.id === "locked") return { why: "It is locked.", change: "Unlock it." };
      if (clock.now() >= job.beforeMs) return "late";
      if (!has(job)) return "moved";
      failed.delete(job.id);
      pending.add(job.id);
      return "done";
    },
  };
  return { ...state, state, self };
}

function setup(jobs: readonly (readonly [id: string, failedAt: number])[]) {
  const clock = fakeClock();
  const store = framework(jobs, clock);
  const source = jobsSource({ broker: "bullmq", framework: store.self, clock, close: async () => {} });
  return { clock, store: store.state, source };
}

/** Reads `orders` until the test is over. Gives what was handed over, and told. */
function reading({ source }: Pick<ReturnType<typeof setup>, "source">, concurrency = 10) {
  const taken: string[] = [];
  const told: string[] = [];
  const state = { refuses: 0 };
  const stop = new AbortController();
  const reads = source.transport.consume(
    { name: "orders" },
    async ({ position }) => {
      if (state.refuses-- > 0) throw new Error("The ledger is away.");
      taken.push(String((JSON.parse(position ?? "") as readonly unknown[])[1]));
      return done;
    },
    {
      ...{ concurrency, prefetch: concurrency, order: "none", leaseMs: 1, returnDelayMs: 1, signal: stop.signal },
      report: ({ kind }) => told.push(kind),
      listening: () => told.push("listening"),
    },
  );
  onTestFinished(async () => {
    stop.abort();
    await reads;
  });
  return { taken, told, state };
}

it("shows those that failed first, as they stand, and none of what is but a name", async () => {
  const { source } = setup([
    ["bare", 1],
    ["2", 2],
    ["3", 3],
    ["4", 4],
  ]);
  const limits = { most: 3, bytesEach: 1_000, signal: new AbortController().signal };
  const found = await source.peek?.("orders", limits);
  expect(found?.map(({ position }) => (JSON.parse(position ?? "") as readonly unknown[])[1])).toEqual(["2", "3"]);
  expect(await source.peek?.("orders", limits)).toEqual(found);
  await expect(source.peek?.("nowhere", limits)).rejects.toMatchObject({ code: "QUEUE_NOT_FOUND" });
});

it("hands over each failure once, however many there are of one moment, and those that come later", async () => {
  const at = (id: string) => (id.startsWith("t") ? 5 : Number(id));
  const ids = ["1", "2", ...Array.from({ length: 37 }, (_, index) => `t${index}`), "9", "bare"];
  const world = setup(ids.map((id) => [id, id === "bare" ? 9 : at(id)]));
  const { taken, told } = reading(world);
  await world.clock.advance(0);
  expect([...taken].sort()).toEqual(ids.filter((id) => id !== "bare").sort());
  // Of the one that is but a name they hear once, though it is listed at every look.
  expect(told).toEqual(["passed-over", "listening"]);
  // One by a worker whose clock is behind, and one that failed again.
  world.store.failed.set("late", 3).set("1", 1_000);
  await world.clock.advance(3_000);
  expect(taken.slice(40)).toEqual(["late", "1"]);
  expect(told).toEqual(["passed-over", "listening"]);
});

it("looks less often while there is nothing new, and as often as before once there is", async () => {
  const world = setup([["1", 1]]);
  const { taken } = reading(world);
  await world.clock.advance(60_000);
  world.store.pages = 0;
  await world.clock.advance(60_000);
  expect(world.store.pages).toBe(4);
  world.store.failed.set("2", 2);
  await world.clock.advance(15_000);
  expect(taken).toEqual(["1", "2"]);
  world.store.failed.set("3", 3);
  await world.clock.advance(1_000);
  expect(taken).toEqual(["1", "2", "3"]);
});

it("hands over again what was not taken, and says that there is nothing more only then", async () => {
  const world = setup([
    ["1", 1],
    ["2", 2],
  ]);
  const { taken, told, state } = reading(world);
  state.refuses = 1;
  await world.clock.advance(0);
  expect([taken, told]).toEqual([["2"], ["settle-failed"]]);
  await world.clock.advance(1_000);
  expect([taken, told]).toEqual([
    ["2", "1"],
    ["settle-failed", "listening"],
  ]);
});

it("survives the loss of the store, and tells of it once", async () => {
  const world = setup([["1", 1]]);
  world.store.isAway = true;
  const { taken, told } = reading(world);
  await world.clock.advance(5_000);
  expect([taken, told]).toEqual([[], ["connection-lost"]]);
  world.store.isAway = false;
  await world.clock.advance(1_000);
  expect([taken, told]).toEqual([["1"], ["connection-lost", "connection-restored", "listening"]]);
});

it("refuses a queue that is not there", async () => {
  const { source } = setup([]);
  const options = { concurrency: 1, prefetch: 1, order: "none", leaseMs: 1, returnDelayMs: 1 } as const;
  const { signal } = new AbortController();
  const read = (name: string) => source.transport.consume({ name }, async () => done, { ...options, signal });
  await expect(read("ordesr")).rejects.toMatchObject({ code: "QUEUE_NOT_FOUND" });
  await expect(read("dlo.reports")).rejects.toMatchObject({ code: "QUEUE_NOT_FOUND" });
});

const position = (id: string, failedAt: number) => showFailure({ queue: "orders", id, failedAt: String(failedAt) });

it("puts back what is still failed, and says why not of all the rest", async () => {
  const { source, store } = setup([
    ["1", 1],
    ["locked", 2],
  ]);
  const line = source.line(new Uint8Array(), async () => false);
  const note = await line.note("orders");
  const send = (id: string, failedAt: number) =>
    line.send("orders", makeMessage({}), { n: 1, intent: 1, position: position(id, failedAt), note });
  await send("1", 1);
  expect([...store.pending]).toEqual(["1"]);
  await expect(send("1", 1)).rejects.toMatchObject({ code: "JOB_MOVED" });
  await expect(send("locked", 2)).rejects.toMatchObject({ code: "JOB_REFUSED", message: "It is locked. Unlock it." });
  await expect(line.send("orders", makeMessage({}), { n: 1, intent: 1 })).rejects.toMatchObject({ code: "JOB_MOVED" });
});

it("knows of every lost send whether it happened, once its time is over: what is still failed was not put back", async () => {
  const { source, store, clock } = setup([
    ["1", 1],
    ["2", 2],
  ]);
  const line = source.line(new Uint8Array(), async () => false);
  const note = await line.note("orders");
  const lost = (n: number, id: string) => ({ n, intent: 1, queue: "orders", note, position: position(id, n) });
  await line.send("orders", makeMessage({}), lost(1, "1"));
  const asked = line.findOut([lost(1, "1"), lost(2, "2"), lost(3, "3")]);
  let isAnswered = false;
  void asked.then(() => {
    isAnswered = true;
  });
  await clock.advance(19_999);
  expect(isAnswered).toBe(false);
  await clock.advance(1);
  expect([...(await asked)]).toEqual([
    [1, "sent"],
    [2, "unsent"],
    [3, "sent"],
  ]);
  // Whoever had the second in hand all the time wakes up, and changes nothing.
  await expect(line.send("orders", makeMessage({}), lost(2, "2"))).rejects.toMatchObject({
    code: "TRANSPORT_UNAVAILABLE",
  });
  expect([...store.failed.keys()]).toEqual(["2"]);
  const isOver = await source.watch("orders", new Uint8Array());
  expect(await isOver()).toBe(false);
  store.pending.delete("1");
  expect(await isOver()).toBe(true);
});

it("asks about the jobs of one replay alone, and not again about those that are over", async () => {
  const { source, store } = setup([
    ["1", 1],
    ["2", 2],
    ["3", 3],
  ]);
  const [slow, quick] = [Uint8Array.of(1), Uint8Array.of(2)];
  const send = async (replay: Uint8Array, n: number) => {
    const line = source.line(replay, async () => false);
    const note = await line.note("orders");
    await line.send("orders", makeMessage({}), { n, intent: 1, position: position(String(n), n), note });
  };
  await send(slow, 1);
  await send(quick, 2);
  store.pending.delete("2");
  expect(await (await source.watch("orders", slow))()).toBe(false);
  expect(await (await source.watch("orders", quick))()).toBe(true);
  await send(quick, 3);
  store.pending.delete("3");
  store.asked.length = 0;
  expect(await (await source.watch("orders", quick))()).toBe(true);
  expect(store.asked).toEqual(["3"]);
});

it("says of letters whether their jobs still fail, and how many runs each would get", async () => {
  const { source } = setup([["1", 1]]);
  const message = makeMessage({});
  const asked = [position("1", 1), position("1", 7), null].map((each) => ({ position: each, message }));
  expect(await source.outlooks?.(asked)).toEqual([{ kind: "runs", runs: 3 }, { kind: "moved" }, { kind: "moved" }]);
});
