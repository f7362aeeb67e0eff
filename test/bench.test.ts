import { expect, it } from "vitest";
import { printReport } from "../bench/print-report.ts";
import { runSuite, type Suite } from "../bench/suite.ts";

/** Two variants whose samples are given; notes the order in which they were taken. */
function setup(ours: number[], theirs: number[]) {
  const taken: string[] = [];
  const closed: string[] = [];
  const variant = (name: string, samples: number[]) => ({
    name,
    sample: async () => {
      taken.push(name);
      return samples.shift() ?? Number.NaN;
    },
    close: async () => void closed.push(name),
  });
  const suite: Suite = {
    about: "A test.",
    unit: "ms",
    rounds: 3,
    variants: [variant("ours", ours), variant("theirs", theirs)],
    ratios: [
      { name: "at most", value: (median) => median("ours") / median("theirs"), goal: 0.5, is: "at most" },
      { name: "at least", value: (median) => median("ours") / median("theirs"), goal: 0.5, is: "at least" },
    ],
  };
  return { suite, taken, closed };
}

it("takes variants in turn, every other round in reverse, and closes them", async () => {
  const { suite, taken, closed } = setup([1, 2, 3], [4, 5, 6]);
  await runSuite(suite);
  expect(taken).toEqual(["ours", "theirs", "theirs", "ours", "ours", "theirs"]);
  expect(closed).toEqual(["ours", "theirs"]);
});

it("reports medians with their range, and ratios with their goal, in exactly this shape", async () => {
  const { suite } = setup([30, 10, 20], [100, 1_234.5, 80]);
  expect(await runSuite(suite)).toEqual({
    variants: [
      { name: "ours", median: 20, min: 10, max: 30, unit: "ms" },
      { name: "theirs", median: 100, min: 80, max: 1_235, unit: "ms" },
    ],
    ratios: [
      { name: "at most", value: 0.2, goal: 0.5, met: true },
      { name: "at least", value: 0.2, goal: 0.5, met: false },
    ],
  });
});

it("shows processor time beside the rate where a sample has it", async () => {
  const { suite } = setup([1, 2, 3], [4, 5, 6]);
  const cpuMicros = [9, 7, 8];
  const sample = async () => ({ value: 50, cpuMicros: cpuMicros.shift() ?? Number.NaN });
  const timed = { ...suite, variants: [...suite.variants, { name: "served", sample }] };
  const report = await runSuite(timed);
  expect(report.variants.at(-1)).toEqual({ name: "served", median: 50, min: 50, max: 50, unit: "ms", cpuMicros: 8 });
  expect(printReport(timed, report)).toMatch(/µs CPU\/message\n(.*\n)*served\s+50\s+50\s+50\s+8\n/);
});

it("closes what it opened when a sample fails", async () => {
  const { suite, closed } = setup([1], [1]);
  const failing = {
    ...suite,
    variants: [...suite.variants, { name: "broken", sample: () => Promise.reject(new Error("no")) }],
  };
  await expect(runSuite(failing)).rejects.toThrow("no");
  expect(closed).toEqual(["ours", "theirs"]);
});

it("prints a table in which people see what was missed", async () => {
  const { suite } = setup([30, 10, 20], [100, 90, 80]);
  const text = printReport(suite, await runSuite(suite));
  expect(text).toContain("ours        20   10   30\n");
  expect(text).toMatch(/at least\s+0.222\s+at least 0.5\s+missed/);
});
