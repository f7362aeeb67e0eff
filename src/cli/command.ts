import type { Clock } from "../domain/clock.ts";
import type { InputOf } from "../http/client.ts";
import type { Flags, ValuesOf } from "./flags.ts";
import type { ShowMoment } from "./terminal/moments.ts";
import type { StartProgress } from "./terminal/progress.ts";
import type { Environment, Terminal } from "./terminal/terminal.ts";

/**
 * One command of `dlo`: data, and one function.
 *
 * The table in commands.ts is all that knows which commands there are; parsing, help, suggestions and error output
 * come from the data here.
 */
export interface Command<Given extends Flags = Flags> {
  /** The words after `dlo`, one or two, the noun first: `"simulate outage"`. */
  readonly name: string;
  /** A shorter name, or one it had before: it is understood, and help does not speak of it. */
  readonly alias?: string;
  readonly summary: string;
  /** What help shows first. */
  readonly examples: readonly Example[];
  /** Paragraphs for help: what is modelled, what the words in the output mean. */
  readonly details?: readonly string[];
  /** With `--json` it says a document a line, one after the other, and not one in all. @default false */
  readonly inLines?: boolean;
  /** A word that follows its name: `dlo doctor SOURCE`. */
  readonly operand?: Operand;
  readonly flags: Given;
  /**
   * How it says that it failed, for readers that know exit codes of their own: a line on stdout. Null: as every command does.
   * It is asked also where the arguments could not be understood.
   */
  readonly failsAs?: (message: string, args: readonly string[]) => OwnFailure | null;
  /** Gives the exit code. Refusals are thrown (see failure.ts). */
  run(values: ValuesOf<Given> & OperandValue & GlobalValues, context: Context): Promise<number>;
}

export interface OwnFailure {
  readonly line: string;
  readonly exitCode: number;
}

export interface Operand {
  /** How help writes it: `SOURCE`. What it is a name of there, shells complete: see completion/things.ts. */
  readonly placeholder: string;
  /** All that it can be, where that is known. */
  readonly of?: readonly string[];
  /** Of a replay: the states in which the command has something to do. @default any */
  readonly states?: ReplayStates;
  readonly about: string;
  readonly required: boolean;
  /** How many words it can be. @default 1 */
  readonly most?: number;
}

export type ReplayStates = NonNullable<InputOf<"replays.list">["states"]>;

export interface OperandValue {
  /** The word that followed the command's name, several with a space between; null where there was none. */
  readonly operand: string | null;
}

export interface Example {
  readonly line: string;
  readonly about: string;
}

/** The flags every command has. */
export interface GlobalValues {
  /** Exactly one JSON document on stdout, also on errors. */
  readonly json: boolean;
}

/** Everything a command touches. Nothing else in `cli` but main.ts knows of the process it runs in. */
export interface Context {
  /** Data: a line, or several, to stdout. */
  readonly print: (text: string) => void;
  /** Data as it is, without a line end. */
  readonly printBytes: (bytes: Uint8Array) => void;
  /** Everything else: to stderr, unless `--quiet`. */
  readonly note: (text: string) => void;
  /** Shows on stderr how far a long run has come. */
  readonly progress: StartProgress;
  /** What stdout can show. */
  readonly terminal: Terminal;
  /** Writes a moment for a table, as `--time` says. */
  readonly when: ShowMoment;
  /** Somebody can be asked: an editor may open, a browser may be waited for. */
  readonly mayAsk: boolean;
  readonly env: Environment;
  readonly clock: Clock;
  /** A file as text in pieces; `-` is what is piped in. */
  readonly input: (file: string) => AsyncIterable<string>;
  /** The same, byte for byte. */
  readonly bytes: (file: string) => Promise<Uint8Array>;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Of this program. */
  readonly version: string;
}

/** Lets the compiler work out the types of a command's values from its flags. */
export function command<Given extends Flags>(description: Command<Given>): Command<Given> {
  return description;
}
