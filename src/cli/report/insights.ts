import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { columnsOf, table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visible, wrap } from "../terminal/text.ts";
import { showDuration, showNumber } from "../terminal/units.ts";

export const insightsCommand = command({
  name: "insights",
  summary: "how long letters wait to be decided, how often rules were right, how long returns take",
  examples: [
    { line: "dlo insights", about: "of letters that arrived in the last 30 days" },
    { line: "dlo insights --days 7 --json", about: "of a week, for a program" },
  ],
  details: [
    "Time to clear is counted from a letter's arrival here until it was resolved, dropped, compensated or escalated. A rule is " +
      "confirmed by a replay that went through or came back as the same, contradicted by one that came back as something else. " +
      "Of a queue with very many letters the latest are looked at. `dlo classify matrix --days 30` shows what replayed letters became.",
  ],
  flags: {
    ...ledgerFlags,
    days: numberFlag({ about: "how far back letters arrived", default: 30, min: 1, max: 90, integer: true }),
  },

  async run({ days, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const insights = await ask("insights.get", { days });
      context.print(json ? JSON.stringify(insights) : drawing(insights, context));
      return exit.done;
    });
  },
});

type Insights = OutputOf<"insights.get">;

function drawing({ cleared, classifier, returns }: Insights, { terminal }: Context): string {
  return [
    ...section("Time to clear", [cleared.sentence], clearedTable(cleared.items, terminal), terminal),
    "",
    ...section("Classifier", [classifier.sentence], rulesTable(classifier.items, terminal), terminal),
    "",
    ...section(
      "Return delay",
      returns.length === 0 ? ["No letter came back to any queue."] : [],
      returns.flatMap(({ source, queue, sentence }) =>
        wrap(`${visible(source)}/${visible(queue)}: ${sentence}`, terminal.columns),
      ),
      terminal,
    ),
  ].join("\n");
}

function section(title: string, sentences: readonly string[], rows: readonly string[], terminal: Terminal): string[] {
  const words = sentences.flatMap((sentence) => wrap(sentence, terminal.columns));
  return [terminal.paint("bold", title), ...words, ...rows];
}

function clearedTable(items: Insights["cleared"]["items"], terminal: Terminal): readonly string[] {
  if (items.length === 0) return [];
  const numbers = ["LETTERS", "WAIT", "RESOLVED", "DROPPED", "COMPENSATED", "ESCALATED", "MEDIAN", "90 %"];
  const rows = items.map(({ category, medianS, p90S, ...n }) => [
    ...[
      category,
      ...[n.letters, n.open, n.resolved, n.dropped, n.compensated, n.escalated].map((each) => showNumber(each)),
    ],
    ...[medianS, p90S].map((s) => (s === null ? "" : showDuration(s * 1_000))),
  ]);
  return [table(columnsOf(["CATEGORY", ...numbers], numbers), rows, terminal)];
}

function rulesTable(items: Insights["classifier"]["items"], terminal: Terminal): readonly string[] {
  if (items.length === 0) return [];
  const numbers = ["LETTERS", "OVERRIDDEN", "CONFIRMED", "CONTRADICTED"];
  const rows = items.map(({ rule, ...n }) => [
    ...[visible(rule), ...[n.letters, n.overridden, n.confirmed, n.contradicted].map((each) => showNumber(each))],
  ]);
  return [table(columnsOf(["RULE", ...numbers], numbers), rows, terminal)];
}
