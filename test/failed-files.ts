import { writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";

/** What a run of the tests leaves behind for whoever started it. */
export interface FailedFiles {
  /** Those with a test that failed, or an error that no test caught. Relative to the repository. */
  readonly files: readonly { readonly project: string; readonly file: string }[];
  /** Errors that came from no file. */
  readonly unhandled: number;
}

/** Writes which files failed to the file that `DLO_FAILED_FILES` names. */
export const failedFiles: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const path = process.env.DLO_FAILED_FILES;
    if (path === undefined) return;
    const origins = unhandled.map(({ VITEST_TEST_PATH: origin }) => String(origin));
    const files = modules
      .filter((module) => !module.ok() || origins.includes(module.moduleId))
      .map(({ project, relativeModuleId: file }) => ({ project: project.name, file }));
    const ofNobody = origins.filter((origin) => !modules.some(({ moduleId }) => moduleId === origin)).length;
    writeFileSync(path, JSON.stringify({ files, unhandled: ofNobody } satisfies FailedFiles));
  },
};

/**
 * They need brokers, browsers and processes, on a machine that others use too. Not among them: what computes only, and what
 * kills and counts losses, for a message lost once is lost.
 */
const onMachines: ReadonlySet<string> = new Set(["contract", "journeys"]);

/** Which files deserve a second run, from nothing: all that failed, or none. */
export function worthSecondRun({ files, unhandled }: FailedFiles): readonly string[] {
  const mayRunAgain = unhandled === 0 && files.every(({ project }) => onMachines.has(project));
  return mayRunAgain ? files.map(({ file }) => file) : [];
}
