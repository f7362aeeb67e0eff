import { nearestName } from "../domain/options.ts";
import type { Command } from "./command.ts";
import { UsageError } from "./failure.ts";

/** All of `dlo`. */
export interface CommandTable {
  readonly commands: readonly Command[];
  /** What the first word of two-word commands stands for. */
  readonly groups: Readonly<Record<string, string>>;
}

interface Found {
  readonly command: Command;
  /** Words that follow its name. */
  readonly extra: readonly string[];
}

export function findCommand(
  words: readonly string[],
  rest: readonly string[],
  { commands, groups }: CommandTable,
): Found {
  const named = commandNamed(words, commands);
  if (named !== undefined) return named;
  const [group = "", verb] = words;
  if (words.length === 0) throw new UsageError("unknown_command", `Which command is \`${rest[0]}\` for?`, allCommands);
  if (!Object.hasOwn(groups, group))
    throw unknownWord(group, [...Object.keys(groups), ...commands.map(({ name }) => name), "help", "version"]);
  const listing = commands.find(({ name }) => name === `${group} list`);
  if (verb === undefined && listing !== undefined) return { command: listing, extra: [] };
  throw unknownVerb(group, verb, verbsOf(group, commands));
}

/** The command whose name, or other name, the words begin with. */
export function commandNamed(words: readonly string[], commands: readonly Command[]): Found | undefined {
  const found = commands.flatMap((command) =>
    [command.name, command.alias ?? []].flat().map((name) => ({ command, length: name.split(" ").length, name })),
  );
  const match = found.find(({ name, length }) => name === words.slice(0, length).join(" "));
  return match === undefined ? undefined : { command: match.command, extra: words.slice(match.length) };
}

/** The second words of a group's commands. */
export function verbsOf(group: string, commands: readonly Command[]): string[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `)).map(({ name }) => name.slice(group.length + 1));
}

const allCommands = "`dlo help` lists the commands.";

function unknownWord(word: string, known: readonly string[]): UsageError {
  const nearest = nearestName(word, known);
  const hint = nearest === undefined ? allCommands : `Did you mean \`dlo ${nearest}\`?`;
  return new UsageError("unknown_command", `\`dlo ${word}\` is not a command.`, hint);
}

function unknownVerb(group: string, verb: string | undefined, verbs: readonly string[]): UsageError {
  const choices = `After \`dlo ${group}\` comes ${verbs.length === 1 ? "" : "one of "}${verbs.join(", ")}.`;
  if (verb === undefined) return new UsageError("unknown_command", choices, `\`dlo help ${group}\` says more.`);
  const nearest = nearestName(verb, verbs);
  const hint = nearest === undefined ? choices : `Did you mean \`dlo ${group} ${nearest}\`?`;
  return new UsageError("unknown_command", `\`dlo ${group} ${verb}\` is not a command.`, hint);
}
