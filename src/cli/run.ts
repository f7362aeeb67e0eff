import type { Clock } from "../domain/clock.ts";
import type { Command, Context } from "./command.ts";
import { exit } from "./exit-codes.ts";
import { failureOf } from "./failure.ts";
import { type CommandTable, commandNamed, findCommand } from "./find-command.ts";
import {
  type GlobalFlagValues,
  globalFlags,
  isReadByProgram,
  splitWords,
  timeStyleOf,
  wantedOf,
} from "./global-flags.ts";
import { helpFor } from "./help.ts";
import { documentPrinter, isForPrograms, type Wanted, type Writing } from "./output-forms.ts";
import { parseFlags } from "./parse-flags.ts";
import { readBytes, readInput } from "./read-input.ts";
import { momentsOf } from "./terminal/moments.ts";
import { noProgress, progressOn } from "./terminal/progress.ts";
import { type Environment, type Output, terminalOf } from "./terminal/terminal.ts";

/** The process as the command line sees it. */
export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  readonly clock: Clock;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  readonly version: string;
}

/** Finds the command, parses, runs it; whatever happens ends as an exit code and words in the right place. */
export async function run(args: readonly string[], table: CommandTable, around: Surroundings): Promise<number> {
  try {
    return await dispatch(args, table, around);
  } catch (error) {
    return reportFailure(error, args, table, around);
  }
}

async function dispatch(args: readonly string[], table: CommandTable, around: Surroundings): Promise<number> {
  const { words, globals, rest } = splitWords(args);
  if (globals.version || words[0] === "version") return printVersion(globals.json, around);
  if (words[0] === "help") return printHelp(words.slice(1), table, globals, around);
  if (globals.help) return printHelp(words, table, globals, around);
  if (words.length === 0 && rest.length === 0) return printHelp([], table, globals, around);
  const { command, extra } = findCommand(words, rest, table);
  return runCommand(command, [...extra, ...rest], globals, around);
}

async function runCommand(
  command: Command,
  args: readonly string[],
  globals: GlobalFlagValues,
  around: Surroundings,
): Promise<number> {
  const wanted = wantedOf(globals);
  const values = parseFlags(args, { ...command.flags, ...globalFlags }, command.operand);
  const context = contextOf(globals, wanted, around);
  const print = documentPrinter(wanted, { ...context, yaml: await yamlWriter(wanted) });
  return command.run({ ...values, json: isForPrograms(wanted) }, { ...context, print });
}

/** Loaded only when it is wanted: it takes a while. */
async function yamlWriter({ form }: Wanted): Promise<Writing["yaml"]> {
  return form === "yaml" ? (await import("../config/yaml-text.ts")).yamlText : JSON.stringify;
}

function contextOf(globals: GlobalFlagValues, { form }: Wanted, around: Surroundings): Context {
  const { stdout, stderr, stdin, env, clock, signal, version } = around;
  const noColor = globals["no-color"];
  const progress = progressOn(stderr, terminalOf(stderr, env, { noColor }), clock);
  const terminal = terminalOf(stdout, env, { noColor });
  return {
    print: (text) => void stdout.write(`${text}\n`),
    printBytes: (bytes) => void stdout.write(bytes),
    note: globals.quiet ? () => {} : (text) => void stderr.write(`${text}\n`),
    progress: globals.quiet ? noProgress : progress,
    terminal: form === "wide" ? { ...terminal, columns: Number.MAX_SAFE_INTEGER } : terminal,
    when: momentsOf(timeStyleOf(globals), clock.now),
    mayAsk: !(globals["no-input"] || env.DLO_NO_INPUT || env.CI),
    env,
    clock,
    input: (file) => readInput(file, stdin),
    bytes: (file) => readBytes(file, stdin),
    signal,
    version,
  };
}

function printVersion(json: boolean, { stdout, version }: Surroundings): number {
  stdout.write(json ? `${JSON.stringify({ version })}\n` : `dlo ${version}\n`);
  return exit.done;
}

function printHelp(
  topic: readonly string[],
  table: CommandTable,
  globals: GlobalFlagValues,
  { stdout, env }: Surroundings,
): number {
  const text = helpFor(topic, table, terminalOf(stdout, env, { noColor: globals.json || globals["no-color"] }));
  stdout.write(globals.json ? `${JSON.stringify({ help: text })}\n` : `${text}\n`);
  return exit.done;
}

function reportFailure(error: unknown, args: readonly string[], table: CommandTable, around: Surroundings): number {
  const { stdout, stderr, env } = around;
  const { words, globals } = splitWords(args);
  const { code, message, exitCode, ...failure } = failureOf(error);
  const hint = failure.hint ?? (exitCode === exit.usage ? helpHint(words, table) : null);
  if (exitCode === exit.bug && error instanceof Error) stderr.write(`${error.stack}\n`);
  const own = isReadByProgram(globals) ? null : commandNamed(words, table.commands)?.command.failsAs?.(message, args);
  if (own != null) {
    stdout.write(`${own.line}\n`);
    return own.exitCode;
  }
  if (isReadByProgram(globals)) stdout.write(`${JSON.stringify({ error: { code, message, hint } })}\n`);
  else if (exitCode !== exit.interrupted) {
    const { paint } = terminalOf(stderr, env, { noColor: globals["no-color"] });
    stderr.write(`${paint("red", "dlo:")} ${message}\n${hint === null ? "" : `${hint}\n`}`);
  }
  return exitCode;
}

function helpHint(words: readonly string[], { commands }: CommandTable): string {
  const command = commandNamed(words, commands)?.command;
  return command === undefined ? "`dlo help` lists the commands." : `\`dlo help ${command.name}\` lists the options.`;
}
