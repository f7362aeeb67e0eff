import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { doorsHook } from "../documents/workshop.ts";
import { root } from "../sources.ts";

export interface RunningExample {
  readonly child: ChildProcess;
  /** Rejects with what it complained about if it ended badly. */
  readonly ended: Promise<void>;
  /** What it has printed to stdout so far. */
  lines(): string[];
}

/** Starts an example on the sources. */
export function startExample(
  path: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): RunningExample {
  const child = spawn(process.execPath, ["--import", doorsHook, join(root, "examples", path), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env, NODE_OPTIONS: "" },
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = new Promise<void>((resolve, reject) => {
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${path} ended with ${code}: ${stderr()}`)),
    );
  });
  return { child, ended, lines: () => stdout().trim().split("\n") };
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
