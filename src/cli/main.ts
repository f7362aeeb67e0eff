import { readFileSync } from "node:fs";
import process from "node:process";
import { systemClock } from "../system/host.ts";
import { commandTable } from "./commands.ts";
import { exit } from "./exit-codes.ts";
import { run } from "./run.ts";

/** The program `dlo`. Only here the process is touched: its arguments, environment, streams, signals and exit code. */
process.exitCode = await run(process.argv.slice(2), commandTable, {
  stdout: unlessClosed(process.stdout),
  stderr: unlessClosed(process.stderr),
  env: process.env,
  clock: systemClock,
  stdin: process.stdin,
  signal: interruption(),
  version: ownVersion(),
});

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
