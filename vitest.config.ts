import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { failedFiles } from "./test/failed-files.ts";
import { releaseReport } from "./test/release-report.ts";

const minuteMs = 60_000;

const execArgv = [
  // kafkajs, the other client that tests ask, sets timers for a time long past. Our own clock never does.
  "--disable-warning=TimeoutNegativeWarning",
  // A PGlite of a test does too little for its code to be worth compiling twice: that would be a third of what it takes.
  "--liftoff-only",
];

/** Processes that tests start, and kill by the dozen, begin three times as fast with code that was compiled before. */
const compiled = fileURLToPath(new URL("node_modules/.cache/dlo-compiled", import.meta.url));

/** Files that take long and compute little: they kill somebody and wait for what becomes of it, or play a long story. */
const long =
  /\/(chaos|journeys|http\/lead|transports\/(kafka|rabbitmq)|demo\/shop|replay\/(rehearse|story)|\w+\/\w+-kill)\b/;

/**
 * A fresh clone knows of no file how long it takes. What is long begins early, so that it is not alone at the end; and
 * beside something short, since those that wait leave the processors to those that compute.
 */
class LongBesideShort extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seen = new Map<string, number>();
    const placed = (await super.sort(files)).map((file) => {
      const group = file.project.config.sequence.groupOrder;
      const kind = `${group} ${long.test(file.moduleId)}`;
      const place = seen.get(kind) ?? 0;
      seen.set(kind, place + 1);
      return { file, group, place };
    });
    return placed.toSorted((one, other) => one.group - other.group || one.place - other.place).map(({ file }) => file);
  }
}

/** They kill a process at any line, and count what was lost. */
const kills = ["test/chaos/**/*.test.ts", "test/*/*-kill.test.ts"];

const journeys = {
  sequence: { groupOrder: 3 },
  // They wait for brokers and for processes that were killed, rather than compute.
  maxWorkers: availableParallelism() + 2,
  execArgv,
  env: { NODE_COMPILE_CACHE: compiled },
  testTimeout: 10 * minuteMs,
  hookTimeout: 5 * minuteMs,
};

/** What is too long for `npm test`, which leaves it out: scripts/test-release.ts runs it. */
const release = ["test/release/**/*.test.ts"];

/** One group after the other: what is quick fails first. */
export default defineConfig({
  test: {
    reporters: ["default", failedFiles, releaseReport],
    globalSetup: ["test/servers/share.ts"],
    sequence: { sequencer: LongBesideShort },
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
          // A lease that lapses and a delay that passes are waited for.
          maxWorkers: availableParallelism() + 3,
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
          exclude: ["test/contract/**", ...kills, ...release],
        },
      },
      { test: { ...journeys, name: "kills", include: kills } },
      { test: { ...journeys, name: "release", include: release, sequence: { groupOrder: 4 }, maxWorkers: 2 } },
    ],
  },
});
