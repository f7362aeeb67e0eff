import { openStates } from "../../domain/letter.ts";
import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";
import { sparkline } from "./sparkline.ts";

export const queuesCommand = command({
  name: "queues list",
  summary: "where it hurts: open letters, arrivals and the oldest of each queue",
  examples: [
    { line: "dlo queues", about: "those with most open letters first" },
    { line: "dlo queues --json", about: "for a program: counts by category and state, oldest, arrivals by the hour" },
  ],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const found = await work.ask("queues.list", {});
      const rows = json ? [] : rowsOf(found, context);
      if (json) context.print(JSON.stringify(found));
      else if (rows.length > 0) context.print(table(columns, rows, context.terminal));
      if (!json)
        context.note(rows.length === 0 ? "No letter came from any queue yet." : showCount(rows.length, "queue"));
      return exit.done;
    });
  },
});

type Found = OutputOf<"queues.list">;

const columns = ["QUEUE", "SOURCE", "OPEN", "24H", "OLDEST", "HELD"].map((title) => ({
  title,
  align: ["OPEN", "OLDEST", "HELD"].includes(title) ? ("right" as const) : ("left" as const),
}));

function rowsOf({ counts, oldest, failures }: Found, { terminal, when }: Context): string[][] {
  const open: readonly string[] = openStates;
  const places = new Map(counts.map(({ source, queue }) => [JSON.stringify([source, queue]), { source, queue }]));
  const rows = [...places.values()].map((place) => {
    const isHere = (each: { readonly source: string; readonly queue: string }) =>
      each.source === place.source && each.queue === place.queue;
    const own = counts.filter(isHere);
    const since = oldest.find(isHere)?.failedAt;
    return {
      ...{ place, held: sum(own), open: sum(own.filter(({ state }) => open.includes(state))) },
      age: since === undefined ? "" : when(since),
      hours: sparkline(failures.find(isHere)?.hours ?? [], terminal),
    };
  });
  return rows
    .sort((one, other) => other.open - one.open)
    .map(({ place: { source, queue }, open: n, hours, age, held }) => [
      ...[visible(queue), visible(source), showNumber(n), hours, age, showNumber(held)],
    ]);
}

function sum(counts: Found["counts"]): number {
  return counts.reduce((total, { n }) => total + n, 0);
}
