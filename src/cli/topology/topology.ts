import { showCount } from "../../domain/show-count.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { choiceFlag, numberFlag, textFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { dotOf, mermaidOf } from "./graph-text.ts";
import { treeOf } from "./tree.ts";

const formats = ["tree", "dot", "mermaid", "json"] as const;

export const topologyCommand = command({
  name: "topology",
  summary: "where messages go: queues, who consumes them, where they die, and where a replay would land",
  examples: [
    { line: "dlo topology", about: "every source as a tree, with what does not hold together" },
    {
      line: "dlo topology --focus orders",
      about: "one queue, service or dead-letter queue and what hangs together with it",
    },
    { line: "dlo topology --format mermaid", about: "a diagram for a page that draws them; `dot` is for Graphviz" },
  ],
  details: [
    "It is drawn from what the office knows: the letters' queues and where they were found, heartbeats and breakers of consumers, drains " +
      "at work, and `replayTo` of the configuration. Producers and queues that nothing was heard of are not in it.",
    "Dashed edges in a diagram are replays.",
  ],
  flags: {
    ...ledgerFlags,
    focus: textFlag({ placeholder: "NAME", about: "a source, queue, dead-letter queue or service" }),
    source: textFlag({ placeholder: "SOURCE", about: "only of this source" }),
    hops: numberFlag({ about: "how many steps around the focus", default: 1, min: 0, max: 3, integer: true }),
    format: choiceFlag({ about: "how it is written", of: formats, default: "tree" }),
  },

  async run({ json, focus, source, hops, format, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const found = await ask("topology.get", { focus, hops, source: source || null });
      const written = json || format === "json" ? JSON.stringify(found) : writers[format](found, context);
      if (written !== "") context.print(written);
      const said = found.sources.length === 0 ? nothing(focus || source, found) : leftOut(found);
      if (said !== "") context.note(said);
      return focus !== "" && found.sources.length === 0 ? exit.notFound : exit.done;
    });
  },
});

const writers: Readonly<Record<Exclude<(typeof formats)[number], "json">, (found: Found, context: Context) => string>> =
  {
    tree: (found, { terminal }) => treeOf(found, terminal),
    dot: dotOf,
    mermaid: mermaidOf,
  };

type Found = Parameters<typeof treeOf>[0];

function nothing(asked: string, { unexplored }: Found): string {
  if (asked === "") return "Nothing is connected, and no letter came yet. `dlo sources add` connects a broker.";
  const unseen =
    unexplored === 0
      ? "`dlo topology` shows all."
      : `Of ${showCount(unexplored, "queue")} nobody looked where they die: name the queue itself. \`dlo queues\` lists them.`;
  return `Nothing that the office knows is called \`${asked}\`. ${unseen}`;
}

function leftOut({ shown, matching }: Found): string {
  if (shown === matching) return "";
  return (
    `${shown} of ${showCount(matching, "queue")}, those with most open letters. \`dlo queues\` lists all; ` +
    "--focus shows any of them with what is around it, --source those of one source."
  );
}
