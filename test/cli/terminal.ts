import { commandTable } from "../../src/cli/commands.ts";
import { run } from "../../src/cli/run.ts";
import { systemClock } from "../../src/system/host.ts";
import type { Finished } from "./dlo.ts";

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in. */
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  /** Somebody sits before it: both streams say that they are a terminal. @default false */
  readonly isWatched?: boolean;
}

/** Runs a command line in this process: the whole program but for main.ts, without the half second a process takes. */
export async function terminal(args: readonly string[], options: TerminalOptions = {}): Promise<Finished> {
  const { env = {}, stdin = "", signal = new AbortController().signal, isWatched = false } = options;
  const written = { stdout: "", stderr: "" };
  const outputTo = (stream: keyof typeof written) => ({
    isTTY: isWatched,
    write(text: string) {
      written[stream] += text;
    },
  });
  const code = await run(args, commandTable, {
    stdout: outputTo("stdout"),
    stderr: outputTo("stderr"),
    env,
    clock: systemClock,
    stdin: ReadableStream.from([new TextEncoder().encode(stdin)]),
    signal,
    version: "1.2.3",
  });
  return { code, ...written };
}

/** To be called as `dlo` is, where nothing depends on its being a process: that costs a second of a processor each time. */
export function dloHere(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return terminal(args, { env });
}
