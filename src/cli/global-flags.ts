import { officeFlags } from "./connection/which-office.ts";
import { choiceFlag, type Flag, optional, switchFlag } from "./flags.ts";
import { isForPrograms, outputForms, type Wanted } from "./output-forms.ts";
import { type TimeStyle, timeStyles } from "./terminal/moments.ts";

/** What every command understands. They may stand anywhere, before the command's name too. */
export const globalFlags = {
  json: switchFlag("exactly one JSON document on stdout, also on errors; --json=id,queue has only these fields"),
  output: { ...choiceFlag({ about: "how it is written", of: outputForms, default: "table" }), short: "o" },
  time: optional(
    choiceFlag({
      about: "how moments are written for people; in data they are ISO 8601 in UTC",
      of: timeStyles,
      default: "relative",
    }),
    "as suits the place",
  ),
  quiet: switchFlag("no progress and no remarks on stderr"),
  "no-color": switchFlag("no colours; NO_COLOR and a pipe have the same effect"),
  "no-input": switchFlag("opens no editor and waits for no browser; DLO_NO_INPUT and CI have the same effect"),
  help: switchFlag("this text", "h"),
  version: switchFlag("the version of dlo", "V"),
};

type GlobalName = keyof typeof globalFlags;

/** As they were written: what cannot be is refused where it is used, so that a refusal can always be written. */
export interface GlobalFlagValues {
  readonly json: boolean;
  readonly fields: readonly string[] | null;
  readonly output: string | null;
  readonly time: string | null;
  readonly quiet: boolean;
  readonly "no-color": boolean;
  readonly "no-input": boolean;
  readonly help: boolean;
  readonly version: boolean;
}

interface SplitLine {
  /** The words it starts with: a command's name, and perhaps more. */
  readonly words: readonly string[];
  readonly globals: GlobalFlagValues;
  /** From the first flag on that is not global. */
  readonly rest: readonly string[];
}

export function splitWords(args: readonly string[]): SplitLine {
  const { given, others: asWritten } = takeGlobals(args);
  const others = officeBehind(asWritten);
  const end = others.findIndex((arg) => arg.startsWith("-"));
  const words = end === -1 ? others : others.slice(0, end);
  return { words, globals: globalsIn(given), rest: others.slice(words.length) };
}

function spellingsOf(name: string, { short }: Flag<unknown>): readonly string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

const spellings: ReadonlyMap<string, GlobalName> = new Map(
  Object.entries<Flag<unknown>>(globalFlags).flatMap(([name, flag]) =>
    spellingsOf(name, flag).map((spelling): [string, GlobalName] => [spelling, name as GlobalName]),
  ),
);

const officeSpellings: ReadonlySet<string> = new Set(
  Object.entries<Flag<unknown>>(officeFlags).flatMap(([name, flag]) => spellingsOf(name, flag)),
);

/** Which office is asked may be said before the command, too: `dlo -c production inbox`. What is said later counts. */
function officeBehind(args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg, at) => !officeSpellings.has(nameIn(arg)) && !takesNext(args[at - 1]));
  if (end === -1) return args;
  const words = args.slice(end).findIndex((arg) => arg.startsWith("-"));
  const behind = words === -1 ? args.length : end + words;
  return [...args.slice(end, behind), ...args.slice(0, end), ...args.slice(behind)];
}

function nameIn(arg: string): string {
  return arg.split("=", 1)[0] ?? "";
}

function takesNext(arg: string | undefined): boolean {
  return arg !== undefined && officeSpellings.has(arg);
}

interface Taken {
  /** What was given with each; empty for a switch. */
  readonly given: ReadonlyMap<GlobalName, string>;
  readonly others: readonly string[];
}

function takeGlobals(args: readonly string[]): Taken {
  const given = new Map<GlobalName, string>();
  const others: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [spelling = "", ...inline] = arg.split("=");
    const name = spellings.get(spelling);
    const takesValue = name !== undefined && globalFlags[name].takesValue;
    if (name === undefined || (inline.length > 0 && !takesValue && name !== "json")) others.push(arg);
    else if (takesValue && inline.length === 0) given.set(name, args[++at] ?? "");
    else given.set(name, inline.join("="));
  }
  return { given, others };
}

function globalsIn(given: Taken["given"]): GlobalFlagValues {
  const fields = (given.get("json") ?? "").split(",").map((field) => field.trim());
  return {
    json: given.has("json"),
    fields: fields.some((field) => field !== "") ? fields.filter((field) => field !== "") : null,
    output: given.get("output") ?? null,
    time: given.get("time") ?? null,
    quiet: given.has("quiet"),
    "no-color": given.has("no-color"),
    "no-input": given.has("no-input"),
    help: given.has("help"),
    version: given.has("version"),
  };
}

/** Refuses a form that there is none of. */
export function wantedOf({ json, fields, output }: GlobalFlagValues): Wanted {
  const form = output === null ? "table" : globalFlags.output.parse(output, "--output");
  return { form: json && !isForPrograms({ form, fields: null }) ? "json" : form, fields };
}

export function timeStyleOf({ time }: GlobalFlagValues): TimeStyle | null {
  return time === null ? null : globalFlags.time.parse(time, "--time");
}

/** Whether a refusal belongs on stdout, as a document. */
export function isReadByProgram({ json, output }: GlobalFlagValues): boolean {
  return json || output === "json" || output === "jsonl" || output === "yaml";
}
