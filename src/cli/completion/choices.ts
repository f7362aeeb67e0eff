import type { Command, Operand } from "../command.ts";
import { officeFlags } from "../connection/which-office.ts";
import type { CommandTable } from "../find-command.ts";
import type { Flag } from "../flags.ts";
import { globalFlags } from "../global-flags.ts";
import { things } from "./things.ts";

/**
 * What a value can be, in one word for a script:
 *
 * - `|table|json`: one of these
 * - `FILE`: a file
 * - `REPLAY:paused,halted`: something that `dlo` is asked for, while somebody types
 * - `-`: anything
 */
export type ValueWord = string;

/** A flag as a shell completes it. */
export interface Option {
  /** With its dashes, the long one first. */
  readonly spellings: readonly string[];
  readonly about: string;
  /** Null for a switch. */
  readonly value: ValueWord | null;
}

/** What can come after some words of a line. */
export interface Place {
  /** `replay plan`; empty for the line's beginning. */
  readonly after: string;
  readonly words: readonly { readonly word: string; readonly about: string }[];
  /** What follows the command's name; null where nothing does. */
  readonly operand: { readonly value: ValueWord; readonly most: number } | null;
  readonly options: readonly Option[];
}

/** What says which office is asked, and so may come before a command. */
export const officeSpellings: readonly string[] = optionsOf({ flags: officeFlags })
  .filter(({ spellings: [long = ""] }) => Object.hasOwn(officeFlags, long.slice(2)))
  .flatMap(({ spellings }) => spellings);

/** Everything that can be completed, from the same table that commands are found in: it cannot know less than they do. */
export function choicesOf({ commands, groups }: CommandTable): readonly Place[] {
  const named = (name: string) => commands.find((command) => command.name === name);
  const firsts = new Map(commands.map(({ name, summary }) => [firstWord(name), summary]));
  for (const [group, about] of Object.entries(groups)) firsts.set(group, about);
  const top = {
    ...{ after: "", words: wordsOf([...firsts, ["help", "what there is"]]), operand: null },
    options: optionsOf({ flags: officeFlags }),
  };
  const heads = new Set(commands.filter(({ name }) => name.includes(" ")).map(({ name }) => firstWord(name)));
  const between = [...heads].map((head) => ({
    after: head,
    words: wordsOf(commands.flatMap(({ name, summary }) => secondWord(head, name, summary))),
    operand: operandOf(named(head)?.operand),
    options: optionsOf(named(head) ?? named(`${head} list`)),
  }));
  const whole = commands.flatMap((command) =>
    [command.name, command.alias ?? []].flat().map((after) => ({
      ...{ after, words: [], operand: operandOf(command.operand), options: optionsOf(command) },
    })),
  );
  return [top, ...between, ...whole.filter(({ after }) => !heads.has(after))];
}

function firstWord(name: string): string {
  return name.split(" ")[0] ?? "";
}

function secondWord(group: string, name: string, summary: string): readonly (readonly [string, string])[] {
  return name.startsWith(`${group} `) ? [[name.slice(group.length + 1), summary]] : [];
}

function wordsOf(pairs: Iterable<readonly [string, string]>): Place["words"] {
  return [...pairs].map(([word, about]) => ({ word, about })).sort((a, b) => (a.word < b.word ? -1 : 1));
}

function operandOf(operand: Operand | undefined): Place["operand"] {
  return operand === undefined ? null : { value: wordFor(operand), most: operand.most ?? 1 };
}

function optionsOf(command: Pick<Command, "flags"> | undefined): readonly Option[] {
  const flags: Readonly<Record<string, Flag<unknown>>> = { ...command?.flags, ...globalFlags };
  return Object.entries(flags).map(([name, flag]) => ({
    spellings: [`--${name}`, ...(flag.short === undefined ? [] : [`-${flag.short}`])],
    about: flag.about,
    value: flag.takesValue ? wordFor(flag) : null,
  }));
}

/** Help writes `LETTER...|-` and `[SOURCE/]QUEUE`: what counts is the name in capitals. */
function wordFor({ placeholder, of, states }: Pick<Operand, "placeholder" | "of" | "states">): ValueWord {
  if (of !== undefined) return ["", ...of].join("|");
  const name = placeholder.replaceAll(/\[.*?\]|\.\.\.|\|[-@].*$/g, "");
  if (name === "FILE") return name;
  if (!things.some((thing) => thing === name)) return "-";
  return states === undefined ? name : `${name}:${states.join(",")}`;
}
