import type { Command, Operand } from "./command.ts";
import { type CommandTable, findCommand, verbsOf } from "./find-command.ts";
import type { Flags } from "./flags.ts";
import { globalFlags } from "./global-flags.ts";
import { type HelpPage, layOut, type Pair } from "./help-layout.ts";
import { topics } from "./help-topics.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Help on everything, on a group of commands, on one command, or on a topic. */
export function helpFor(words: readonly string[], table: CommandTable, terminal: Terminal): string {
  return layOut(pageFor(words, table), terminal);
}

function pageFor(words: readonly string[], table: CommandTable): HelpPage {
  const [first, second] = words;
  if (first === undefined) return overview(table);
  const topic = topics.get(first);
  if (topic !== undefined) return topic;
  if (Object.hasOwn(table.groups, first) && second === undefined) return groupPage(first, table);
  return commandPage(findCommand(words, [], table).command);
}

function overview({ commands, groups }: CommandTable): HelpPage {
  const grouped = Object.entries(groups).map(([group, summary]): Pair => {
    return [`dlo ${group} ${verbsOf(group, commands).join("|")}`, summary];
  });
  const single = commands.filter(({ name }) => !name.includes(" ")).map(commandPair);
  return {
    heading: "Dead Letter Office: failed messages get a structured path.",
    sections: [
      {
        title: "Commands",
        pairs: [
          ...grouped,
          ...single,
          [`dlo help [COMMAND|${[...topics.keys()].join("|")}]`, "this text, or more on one thing"],
          ["dlo version", "the version of dlo"],
        ],
      },
      { title: "Options of every command", pairs: flagPairs(globalFlags) },
    ],
  };
}

function groupPage(group: string, { commands, groups }: CommandTable): HelpPage {
  const members = commands.filter(({ name }) => name.startsWith(`${group} `));
  return {
    heading: `dlo ${group}: ${groups[group]}`,
    sections: [
      { title: "Examples", examples: members.flatMap(({ examples }) => examples.slice(0, 1)) },
      { title: "Commands", pairs: members.map(commandPair) },
    ],
  };
}

function commandPage({ name, summary, examples, operand, flags, details = [], inLines = false }: Command): HelpPage {
  return {
    heading: `dlo ${name}: ${summary}`,
    sections: [
      { title: "Examples", examples },
      { title: "Options", pairs: [...operandPairs(operand), ...flagPairs(flags)] },
      {
        title: "What it shows",
        paragraphs: [...details, ...(inLines ? ["With --json it says a document a line."] : [])],
      },
      { title: "Options of every command", pairs: flagPairs(globalFlags) },
    ],
  };
}

function commandPair({ name, summary }: Command): Pair {
  return [`dlo ${name}`, summary];
}

function operandPairs(operand: Operand | undefined): Pair[] {
  return operand === undefined ? [] : [[operand.placeholder, operand.about]];
}

function flagPairs(flags: Flags): Pair[] {
  return Object.entries(flags).map(([name, { short, placeholder, about, shownDefault }]) => {
    const spelling = `${short === undefined ? "" : `-${short}, `}--${name} ${placeholder}`;
    return [spelling.trimEnd(), shownDefault === "" ? about : `${about} [${shownDefault}]`];
  });
}
