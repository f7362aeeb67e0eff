import { durationMs } from "../domain/duration.ts";
import { requireNumber, requireOneOf, requireOption } from "../domain/options.ts";

/** One flag of a command: how it is written, what it means, how its text becomes a value. */
export interface Flag<Value> {
  /** A switch stands alone; anything else takes a value. */
  readonly takesValue: boolean;
  readonly short?: string;
  /** How help writes the value: `N`, `TIME`. What it is a name of there, shells complete: see completion/things.ts. */
  readonly placeholder: string;
  /** All that the value can be, where that is known. */
  readonly of?: readonly string[];
  readonly about: string;
  /** What stands for the default in help; empty where there is nothing to say. */
  readonly shownDefault: string;
  readonly default: Value;
  /** Given several times it gathers its values; otherwise the last one counts. @default false */
  readonly repeats?: boolean;
  /** Its value may begin with a dash, as what a search leaves out does: what follows is another flag only if it is spelt as one. @default false */
  readonly takesDash?: boolean;
  /** Refuses a bad value with the option's name and the bound. */
  parse(text: string, option: string): Value;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

export type ValuesOf<Given extends Flags> = {
  readonly [Name in keyof Given]: Given[Name] extends Flag<infer Value> ? Value : never;
};

export function switchFlag(about: string, short?: string): Flag<boolean> {
  return {
    takesValue: false,
    ...(short === undefined ? {} : { short }),
    placeholder: "",
    about,
    shownDefault: "",
    default: false,
    parse: () => true,
  };
}

interface NumberFlag {
  readonly about: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly integer?: boolean;
}

export function numberFlag({ about, default: fallback, ...bounds }: NumberFlag): Flag<number> {
  return {
    takesValue: true,
    placeholder: "N",
    about,
    shownDefault: String(fallback),
    default: fallback,
    parse: (text, option) => parseNumber(text, option, bounds),
  };
}

/** Several whole numbers, set apart by commas. */
export function numbersFlag({
  about,
  default: fallback,
  ...bounds
}: Omit<NumberFlag, "default"> & { readonly default: readonly number[] }): Flag<readonly number[]> {
  return {
    takesValue: true,
    placeholder: "N[,N...]",
    about,
    shownDefault: fallback.join(","),
    default: fallback,
    parse: (text, option) => [...new Set(text.split(",").map((part) => parseNumber(part.trim(), option, bounds)))],
  };
}

interface DurationFlag {
  readonly about: string;
  /** As it would be written on the command line. */
  readonly default: string;
  readonly min: string;
  readonly max: string;
}

/** A time such as `500ms`, `10s`, `2m` or `1h`, as milliseconds; a bare number means seconds. */
export function durationFlag({ about, default: fallback, min, max }: DurationFlag): Flag<number> {
  const parse = (text: string, option: string) => {
    const ms = durationMs(text);
    const fits = ms >= durationMs(min) && ms <= durationMs(max);
    requireOption(fits, option, `a time from ${min} to ${max}, such as 500ms, 10s or 2m`, text);
    return ms;
  };
  return {
    takesValue: true,
    placeholder: "TIME",
    about,
    shownDefault: fallback,
    default: durationMs(fallback),
    parse,
  };
}

/** Any text but none. */
export function textFlag({
  about,
  placeholder,
}: {
  readonly about: string;
  readonly placeholder: string;
}): Flag<string> {
  return {
    takesValue: true,
    placeholder,
    about,
    shownDefault: "",
    default: "",
    parse: (text, option) => {
      requireOption(text.trim() !== "", option, "more than nothing");
      return text;
    },
  };
}

/** Texts, one each time it is given. */
export function textsFlag(described: {
  readonly about: string;
  readonly placeholder: string;
}): Flag<readonly string[]> {
  const one = textFlag(described);
  return { ...one, default: [], repeats: true, parse: (text, option) => [one.parse(text, option)] };
}

/** A search: `-q 'queue:orders -tag:hold'`, and `-q '-tag:hold'` too. */
export function queryFlag(about: string): Flag<string> {
  return { ...textFlag({ placeholder: "QUERY", about }), short: "q", takesDash: true };
}

interface ChoiceFlag<Choice extends string> {
  readonly about: string;
  readonly of: readonly Choice[];
  readonly default: Choice;
  /** How help writes the value, where listing all of `of` would be too long. */
  readonly placeholder?: string;
}

export function choiceFlag<const Choice extends string>({
  about,
  of,
  default: fallback,
  placeholder,
}: ChoiceFlag<Choice>): Flag<Choice> {
  return {
    takesValue: true,
    placeholder: placeholder ?? of.join("|"),
    of,
    about,
    shownDefault: fallback,
    default: fallback,
    parse: (text, option) => {
      requireOneOf(option, text, of);
      return of.find((choice) => choice === text) ?? fallback;
    },
  };
}

/** Some of several, with commas between. */
export function choicesFlag<const Choice extends string>({
  about,
  of,
}: Pick<ChoiceFlag<Choice>, "about" | "of">): Flag<readonly Choice[]> {
  return {
    takesValue: true,
    placeholder: of.join(","),
    of,
    about,
    shownDefault: "",
    default: [],
    parse: (text, option) => {
      const given = text.split(",").map((each) => each.trim());
      for (const each of given) requireOneOf(option, each, of);
      return of.filter((choice) => given.includes(choice));
    },
  };
}

/** A flag that may be left out, and then is null; help shows `shownDefault` for what that means. */
export function optional<Value>(flag: Flag<Value>, shownDefault: string): Flag<Value | null> {
  return { ...flag, default: null, shownDefault };
}

function parseNumber(text: string, option: string, bounds: { min: number; max: number; integer?: boolean }): number {
  // Number("") is 0 and Number("0x10") is 16: neither is what somebody meant to ask for.
  const value = /^[+-]?\d+(\.\d+)?(e\d+)?$/i.test(text) ? Number(text) : text;
  requireNumber(option, value, bounds);
  return Number(value);
}
