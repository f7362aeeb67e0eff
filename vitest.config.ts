import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { secondRuns } from "./test/second-runs.ts";

const minuteMs = 60_000;

/** kafkajs, the other client that tests ask, sets timers for a time long past. Our own clock never does. */
const execArgv = ["--disable-warning=TimeoutNegativeWarning"];

/** Processes that tests start, and kill by the dozen, begin three times as fast with code that was compiled before. */
const compiled = fileURLToPath(new URL("node_modules/.cache/dlo-compiled", import.meta.url));

/** Files that take a minute and more, since they kill somebody and wait for what becomes of it. */
const long = /\/(chaos|journeys|http\/lead|transports\/(kafka|rabbitmq))\b/;

/** A fresh clone knows of no file how long it takes. What is long begins first, so that it is not alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * project.config.sequence.groupOrder + (long.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** They kill a process at any line, and count what was lost. */
const kills = ["test/chaos/**/*.test.ts", "test/*/*-kill.test.ts"];

const journeys = {
  sequence: { groupOrder: 3 },
  // They wait for brokers and for processes that were killed, rather than compute.
  maxWorkers: availableParallelism() + 1,
  execArgv,
  env: { NODE_COMPILE_CACHE: compiled },
  testTimeout: 10 * minuteMs,
  hookTimeout: 5 * minuteMs,
};

/** One group after the other: what is quick fails first. */
export default defineConfig({
  test: {
    reporters: ["default", secondRuns],
    globalSetup: ["test/servers/share.ts"],
    sequence: { sequencer: LongFirst },
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          testTimeout: minuteMs,
          sequence: { groupOrder: 1 },
          // Each changes what it has made itself, and nothing else: so they need not load everything anew.
          isolate: false,
        },
      },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          sequence: { groupOrder: 2 },
          execArgv,
          testTimeout: 5 * minuteMs,
          hookTimeout: 5 * minuteMs,
        },
      },
      {
        test: {
          ...journeys,
          name: "journeys",
          include: ["test/*/**/*.test.ts"],
          exclude: ["test/contract/**", ...kills],
          // Brokers, browsers and processes, on a machine that others use too. What passes the second time is listed.
          retry: process.env.CI === undefined ? 0 : 1,
        },
      },
      // A message lost once is lost: no second run.
      { test: { ...journeys, name: "kills", include: kills } },
    ],
  },
});
