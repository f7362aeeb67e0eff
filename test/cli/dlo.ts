import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../sources.ts";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `dlo` as a process of its own, as a shell would, with no terminal around it. */
export function startDlo(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [join(root, "src/cli/main.ts"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...spared(), ...env },
  });
}

/** Of our own environment: nothing that would change what it does, only how soon. */
function spared() {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}

export async function dlo(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished> {
  const child = startDlo(args, env);
  const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), exitCodeOf(child)]);
  return { code, stdout, stderr };
}

/** Null if a signal ended it. */
export function exitCodeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("close", (code) => resolve(code));
  });
}

export async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
