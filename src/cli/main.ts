import { readFileSync } from "node:fs";
import process from "node:process";
import { systemClock } from "../system/host.ts";
import { answer, completing } from "./completion/answer.ts";
import { exit } from "./exit-codes.ts";

const [first, ...rest] = process.argv.slice(2);

/** The program `dlo`. Only here the process is touched: its arguments, environment, streams, signals and exit code. */
process.exitCode =
  first === completing
    ? await answer(rest, { stdout: unlessClosed(process.stdout), env: process.env, clock: systemClock })
    : await runCommand();

/** Loaded only now: a shell that asks while somebody types must not wait for every command there is. */
async function runCommand(): Promise<number> {
  const [{ commandTable }, { run }] = await Promise.all([import("./commands.ts"), import("./run.ts")]);
  return run(process.argv.slice(2), commandTable, {
    stdout: unlessClosed(process.stdout),
    stderr: unlessClosed(process.stderr),
    env: process.env,
    clock: systemClock,
    stdin: process.stdin,
    signal: interruption(),
    version: ownVersion(),
  });
}

/** A reader that has seen enough (`| head`) closes the pipe: that is no failure, and there is nobody left to tell. */
function unlessClosed(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(process.exitCode ?? exit.done);
  });
  return stream;
}

/** The first Ctrl-C asks the command to stop; a second one does not wait for it. */
function interruption(): AbortSignal {
  const stop = new AbortController();
  process.on("SIGINT", () => {
    if (stop.signal.aborted) process.exit(exit.interrupted);
    stop.abort();
  });
  return stop.signal;
}

/** The manifest lies two folders up, from src/cli as from dist/cli. */
function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}
