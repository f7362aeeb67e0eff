import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, it, onTestFinished } from "vitest";
import { describeServer } from "../servers/describe-server.ts";
import type { Workshop } from "./job-story.ts";
import type { Program } from "./programs.ts";

const execute = promisify(execFile);

/** As `describeServer`, of a framework in another language: where that language is not, nobody expects it. */
export function describeFramework(
  title: string,
  { missing, isForeign }: Program,
  server: string | undefined,
  tests: () => void,
): void {
  if (!isForeign) {
    describeServer(title, missing ?? server, tests);
    return;
  }
  describe(title, () => {
    console.warn(`Skipped: ${title}. ${missing}`);
    it.skip(`is tested (${missing})`, () => {});
  });
}

interface ProcessParts {
  readonly program: Program;
  /** The configuration's name for it. */
  readonly broker: string;
  readonly url: string;
  readonly queue: string;
  /** Where its failed jobs are listed. @default queue */
  readonly place?: string;
  /** What works, where that is another program. @default the program with `work` */
  readonly work?: readonly string[];
  /** @default 1 */
  readonly runs?: Workshop["runs"];
  readonly hasIds?: boolean;
  /** More of the configuration. @default none */
  readonly settings?: string;
  readonly failed: Workshop["failed"];
  readonly apart?: () => Promise<void>;
}

/** A framework whose worker is a process of its own, which is told what to do by its command line and by files. */
export function openProcessWorkshop(parts: ProcessParts): Workshop {
  const { program, broker, url, queue, place = queue, runs = 1, settings, hasIds = true } = parts;
  const more = settings === undefined ? "" : `, ${settings}`;
  const shop = mkdtempSync(join(tmpdir(), "dlo-jobs-"));
  const env = { ...process.env, ...program.env, SHOP: shop, URL: url, QUEUE: queue };
  const tell = async (...words: readonly string[]) => {
    const [file = "", ...args] = [...program.command, ...words];
    await execute(file, args, { env });
  };
  const [file = "", ...args] = parts.work ?? [...program.command, "work"];
  let worker: ChildProcess | undefined;
  onTestFinished(async () => {
    worker?.kill("SIGKILL");
    rmSync(shop, { recursive: true, force: true });
  });
  const done = join(shop, "done");
  return {
    ...{ source: `broker: ${broker}, url: "${url}"${more}`, place, runs, hasIds },
    get done() {
      return existsSync(done) ? readFileSync(done, "utf8").trim().split("\n") : [];
    },
    async add(name) {
      await tell("add", name);
      worker ??= spawn(file, args, { env, stdio: "ignore" });
    },
    failed: parts.failed,
    retry: (name) => tell("retry", name),
    ...(parts.apart === undefined ? {} : { apart: parts.apart }),
    mend: () => writeFileSync(join(shop, "up"), ""),
  };
}
