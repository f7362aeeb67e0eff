import type { Command } from "../command.ts";
import type { CommandTable } from "../find-command.ts";
import { globalFlags } from "../global-flags.ts";

/** A flag as a shell completes it. */
export interface Option {
  /** With its dashes. */
  readonly spelling: string;
  readonly about: string;
  readonly takesValue: boolean;
  /** What its value can be; empty where that is anything. */
  readonly values: readonly string[];
}

/** What can come after some words of a line. */
export interface Place {
  /** `replay plan`; empty for the line's beginning. */
  readonly after: string;
  readonly words: readonly { readonly word: string; readonly about: string }[];
  readonly options: readonly Option[];
}

/** Everything that can be completed, from the same table that commands are found in: it cannot know less than they do. */
export function choicesOf({ commands, groups }: CommandTable): readonly Place[] {
  const named = (name: string) => commands.find((command) => command.name === name);
  const firsts = new Map(commands.map(({ name, summary }) => [firstWord(name), summary]));
  for (const [group, about] of Object.entries(groups)) firsts.set(group, about);
  const top = { after: "", words: wordsOf([...firsts, ["help", "what there is"]]), options: [] };
  const heads = new Set(commands.filter(({ name }) => name.includes(" ")).map(({ name }) => firstWord(name)));
  const between = [...heads].map((head) => ({
    after: head,
    words: wordsOf(commands.flatMap(({ name, summary }) => secondWord(head, name, summary))),
    options: optionsOf(named(head) ?? named(`${head} list`)),
  }));
  const whole = commands.flatMap((command) =>
    [command.name, command.alias ?? []].flat().map((after) => ({ after, words: [], options: optionsOf(command) })),
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

function optionsOf(command: Command | undefined): readonly Option[] {
  const flags = { ...command?.flags, ...globalFlags };
  return Object.entries(flags).map(([name, { about, takesValue, placeholder }]) => ({
    ...{ spelling: `--${name}`, about, takesValue },
    values: /^[a-z][\w-]*(\|[a-z][\w-]*)+$/.test(placeholder) ? placeholder.split("|") : [],
  }));
}
