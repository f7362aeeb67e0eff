import type { Command, Operand } from "./command.ts";
import { exit, exitMeanings } from "./exit-codes.ts";
import { type CommandTable, findCommand, verbsOf } from "./find-command.ts";
import type { Flags } from "./flags.ts";
import { globalFlags } from "./global-flags.ts";
import { type HelpPage, layOut, type Pair } from "./help-layout.ts";
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

const exitNames = Object.keys(exit) as (keyof typeof exit)[];

const topics: ReadonlyMap<string, HelpPage> = new Map([
  [
    "exit-codes",
    {
      heading: "What dlo says to the shell that started it",
      sections: [
        { title: "Exit codes", pairs: exitNames.map((name): Pair => [String(exit[name]), exitMeanings[name]]) },
      ],
    },
  ],
  [
    "environment",
    {
      heading: "What dlo reads from its environment",
      sections: [
        {
          title: "Variables",
          pairs: [
            ["DLO_CONFIG", "the configuration, where --config does not name one"],
            ["DLO_SERVER, DLO_CONTEXT", "the office to ask, where no flag names one"],
            ["DLO_NO_INPUT, CI", "any value: nobody is asked, as with --no-input"],
            ["NO_COLOR", "any value: no colours"],
            ["FORCE_COLOR, CLICOLOR_FORCE", "any value but 0: colours, also into a pipe"],
            ["CLICOLOR", "0: no colours"],
            ["COLUMNS", "width of drawings where the terminal does not say"],
            ["LC_ALL, LC_CTYPE, LANG", "not UTF-8: drawings in plain ASCII"],
            ["TERM", "dumb: no colours, plain ASCII"],
          ],
        },
      ],
    },
  ],
  [
    "json",
    {
      heading: "What --json gives",
      sections: [
        {
          title: "JSON",
          paragraphs: [
            "With --json stdout carries exactly one JSON document, and nothing else. Commands that tell one thing after " +
              "the other (such as letters tail, or audit export) give one a line; their help says so.",
            "--json=id,queue has only these fields of each thing, dots between where one is in another: counts.sent. --output " +
              "makes of the same document a line for each item (jsonl), YAML, or only the names that other commands take (name).",
            'A failure is {"error":{"code","message","hint"}}: the code is for programs and does not change, the message ' +
              "is a sentence for people, the hint says what to try, or is null. The exit code is the same as without --json.",
          ],
        },
      ],
    },
  ],
]);

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
