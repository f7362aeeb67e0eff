import { defineConfig } from "vitest/config";

const minuteMs = 60_000;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
        },
      },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          testTimeout: minuteMs,
          hookTimeout: minuteMs,
        },
      },
      {
        test: {
          name: "journeys",
          include: ["test/journeys/**/*.test.ts", "test/simulation/**/*.test.ts", "test/chaos/**/*.test.ts"],
          testTimeout: 10 * minuteMs,
          hookTimeout: minuteMs,
        },
      },
    ],
  },
});
