import { switchFlag, type ValuesOf } from "./flags.ts";

/** What every command understands. All are switches, so they may stand anywhere, before the command's name too. */
export const globalFlags = {
  json: switchFlag("exactly one JSON document on stdout, also on errors"),
  quiet: switchFlag("no progress and no remarks on stderr"),
  "no-color": switchFlag("no colours; NO_COLOR and a pipe have the same effect"),
  help: switchFlag("this text", "h"),
  version: switchFlag("the version of dlo", "V"),
};

export type GlobalFlagValues = ValuesOf<typeof globalFlags>;

interface SplitLine {
  /** The words it starts with: a command's name, and perhaps more. */
  readonly words: readonly string[];
  readonly globals: GlobalFlagValues;
  /** From the first flag on that is not global. */
  readonly rest: readonly string[];
}

export function splitWords(args: readonly string[]): SplitLine {
  const isGlobal = (arg: string) => spellings.has(arg);
  const others = args.filter((arg) => !isGlobal(arg));
  const end = others.findIndex((arg) => arg.startsWith("-"));
  const words = end === -1 ? others : others.slice(0, end);
  return { words, globals: globalsIn(args), rest: others.slice(words.length) };
}

const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries(globalFlags).flatMap(([name, { short }]): [string, string][] =>
    short === undefined
      ? [[`--${name}`, name]]
      : [
          [`--${name}`, name],
          [`-${short}`, name],
        ],
  ),
);

function globalsIn(args: readonly string[]): GlobalFlagValues {
  const given = new Set(args.map((arg) => spellings.get(arg)));
  return {
    json: given.has("json"),
    quiet: given.has("quiet"),
    "no-color": given.has("no-color"),
    help: given.has("help"),
    version: given.has("version"),
  };
}
