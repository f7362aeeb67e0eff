import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const minuteMs = 60_000;

/** One group after the other: what is quick fails first. */
export default defineConfig({
  test: {
    // Most of the long ones wait for a broker rather than compute: on two cores two files at once take half the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          testTimeout: minuteMs,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          sequence: { groupOrder: 2 },
          testTimeout: minuteMs,
          hookTimeout: minuteMs,
        },
      },
      {
        test: {
          name: "journeys",
          include: ["test/*/**/*.test.ts"],
          exclude: ["test/contract/**"],
          sequence: { groupOrder: 3 },
          testTimeout: 10 * minuteMs,
          hookTimeout: minuteMs,
        },
      },
    ],
  },
});
