import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag, optional } from "../flags.ts";
import { table } from "../terminal/table.ts";
import { showNumber } from "../terminal/units.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

export const matrixCommand = command({
  name: "classify matrix",
  summary: "what replayed letters were taken for on arrival, and what became of them",
  examples: [{ line: "dlo classify matrix", about: "rows: on arrival; columns: by their latest replay" }],
  details: [
    "A letter called transient that comes back as poison was called wrong, or the world changed: the matrix shows how often. " +
      "`dlo letters -q 'was:transient outcome:poison'` lists such letters.",
  ],
  flags: {
    ...ledgerFlags,
    days: optional(
      numberFlag({ about: "only letters that arrived in so many days", default: 30, min: 1, max: 90, integer: true }),
      "all there are",
    ),
  },

  async run({ days, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const matrix = await work.ask("letters.matrix", { days });
      if (json) context.print(JSON.stringify(matrix));
      else if (matrix.items.length === 0) context.note("No letter was replayed yet.");
      else context.print(drawing(matrix.items, context.terminal));
      return exit.done;
    });
  },
});

type Cells = OutputOf<"letters.matrix">["items"];

function drawing(items: Cells, terminal: Parameters<typeof table>[2]): string {
  const columns = [...new Set(items.map(({ became }) => became))];
  const rows = [...new Set(items.map(({ was }) => was))].map((was) => [
    was,
    ...columns.map((became) => {
      const n = items.find((cell) => cell.was === was && cell.became === became)?.n ?? 0;
      return n === 0 ? "·" : showNumber(n);
    }),
  ]);
  const titles = [{ title: "WAS", align: "left" as const }];
  return table([...titles, ...columns.map((title) => ({ title, align: "right" as const }))], rows, terminal);
}
