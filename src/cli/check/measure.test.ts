import { expect, it } from "vitest";
import type { AtWork } from "../ledger/ledger-flags.ts";
import { measures } from "./measure.ts";

const now = Date.parse("2026-11-15T14:00:00Z");
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const draining = { source: "rabbit", queue: "orders.dlq", state: "draining", since: ago(60), held: 3, trouble: null };

function drainOf(...drains: readonly object[]) {
  const work = { here: null, ask: async () => ({ drains }) } as unknown as AtWork;
  return measures.drain.take(work, { query: "", withinMs: 0, now });
}

it("counts how long a queue cannot be drained, whatever is being tried at the moment", async () => {
  const trouble = { trouble: "connect ECONNREFUSED", troubledSince: ago(12) };
  for (const state of ["draining", "waiting"])
    expect(
      await drainOf(
        { ...draining, queue: "bills.dlq", troubledSince: null },
        { ...draining, state, since: ago(0), ...trouble },
      ),
    ).toEqual({
      value: 720,
      sentence: "rabbit/orders.dlq has not been drained for 12m: connect ECONNREFUSED",
      besides: { queues: 2, waitingQueues: 1 },
    });
  expect(await drainOf({ ...draining, trouble: "too late", troubledSince: null })).toMatchObject({ value: 0 });
});

it("counts a queue as drained while any process drains it, and else since the last one could not", async () => {
  const hindered = (minutes: number) => ({ ...draining, trouble: "away", troubledSince: ago(minutes) });
  const besides = { queues: 1, waitingQueues: 0 };
  expect(await drainOf(hindered(9), { ...draining, troubledSince: null }, hindered(5))).toMatchObject({
    value: 0,
    besides,
  });
  expect(await drainOf(hindered(9), hindered(5))).toMatchObject({
    value: 300,
    besides: { queues: 1, waitingQueues: 1 },
  });
});

it("takes silence for no queue that is drained", async () => {
  await expect(drainOf()).rejects.toThrow("No process of this office drains a queue");
});
