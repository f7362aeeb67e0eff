import { styleText } from "node:util";

/** What the place we write to can show. */
export interface Terminal {
  readonly columns: number;
  /** Somebody is watching; otherwise it is a file or another program. */
  readonly interactive: boolean;
  /** Braille and block characters will arrive as such. */
  readonly unicode: boolean;
  readonly color: boolean;
  /** Colours text where colour is wanted, and gives it back as it is where not. */
  paint(tone: Tone, text: string): string;
}

export type Tone = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A stream as far as drawing needs it; `process.stdout` is one. */
export interface Output {
  write(data: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Width of a drawing where nobody says how wide the paper is. */
const columnsOfAFile = 80;
const leastColumns = 40;

export function terminalOf(output: Output, env: Environment, { noColor = false } = {}): Terminal {
  const interactive = output.isTTY === true;
  const color = !noColor && wantsColor(interactive, env);
  return {
    columns: Math.max(leastColumns, output.columns || Number(env.COLUMNS) || columnsOfAFile),
    interactive,
    unicode: showsUnicode(env),
    color,
    paint: (tone, text) => (color ? styleText(tone, text, { validateStream: false }) : text),
  };
}

/** https://no-color.org and https://bixense.com/clicolors */
function wantsColor(interactive: boolean, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (isOn(env.FORCE_COLOR) || isOn(env.CLICOLOR_FORCE)) return true;
  return interactive && env.CLICOLOR !== "0" && env.TERM !== "dumb";
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

/** The locale says what the terminal was set up for; the Linux console has no braille whatever it says. */
function showsUnicode(env: Environment): boolean {
  if (env.TERM === "linux" || env.TERM === "dumb") return false;
  if (env.WT_SESSION) return true;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  return /utf-?8/i.test(locale);
}
