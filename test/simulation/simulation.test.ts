import { expect, it } from "vitest";
import { runSeed } from "./run-seed.ts";
import { addSeed, complaints, emptySummary } from "./summary.ts";

/** A twentieth of what is run on demand. */
const seeds = 500;

it(`loses nothing, invents nothing and repeats no effect under ${seeds} seeds`, async () => {
  let summary = emptySummary;
  for (let seed = 1; seed <= seeds; seed++) summary = addSeed(summary, await runSeed(seed));
  const { lost, unexpected, effectiveDuplicates, failures } = summary;
  // The seed first: `npm run sim -- --seed N` shows what led to it.
  expect(failures.map((report) => ({ seed: report.seed, said: complaints(report) }))).toEqual([]);
  expect({ lost, unexpected, effectiveDuplicates }).toEqual({ lost: 0, unexpected: 0, effectiveDuplicates: 0 });
  // A simulation in which nothing goes wrong would prove nothing.
  expect(summary.faults).toBeGreaterThan(10 * seeds);
  expect(Object.keys(summary.faultsByKind).sort()).toEqual(
    [
      ...["connection-cut", "crash", "hint-lost", "hung", "late", "lease-cut-short", "lost", "outage", "refused"],
      ...["reordered", "reply-lost", "slow", "stand-still", "stop"],
    ].sort(),
  );
});

it("goes the same way, step by step, under the same seed, and another way under another", async () => {
  const [first, again, other] = [await runSeed(7), await runSeed(7), await runSeed(8)];
  expect(again.traceHash).toBe(first.traceHash);
  expect(again.traceTail).toEqual(first.traceTail);
  expect(other.traceHash).not.toBe(first.traceHash);
});

it("covers every kind of end a message can come to", async () => {
  const ends = ["has its effect", "in orders.dlq:", "in orders.parked", "crash_poison", "duplicate"];
  const unseen = new Set(ends);
  for (let seed = 1; seed <= 40; seed++) {
    const { traceTail } = await runSeed(seed);
    for (const end of ends) if (traceTail.some((line) => line.includes(end))) unseen.delete(end);
  }
  expect([...unseen]).toEqual([]);
});
