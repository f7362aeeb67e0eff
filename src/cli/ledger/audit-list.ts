import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag, optional } from "../flags.ts";
import { columnsOf, table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showCount } from "../terminal/units.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";
import { limitFlag, upTo } from "./limit-flag.ts";

const pageSize = 200;

export const auditListCommand = command({
  name: "audit list",
  summary: "who did what, newest first",
  examples: [
    { line: "dlo audit", about: "the last fifty entries" },
    { line: "dlo audit list --limit 200 --json", about: "for a program: { items, next }" },
  ],
  flags: {
    ...ledgerFlags,
    limit: limitFlag("how many at most"),
    before: optional(numberFlag({ about: "those before this number", default: 1, min: 1, max: 1e15 }), "the end"),
  },

  async run({ limit, before, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const from = before === null ? null : String(before);
      const page = await upTo(limit, { pageSize, from }, (size, place) =>
        ask("audit.list", { limit: size, before: place === null ? null : Number(place) }),
      );
      const rows = page.items.map(({ n, at, actor, action, details }) => [
        ...[String(n), context.when(at, "utc"), visible(actor), action, visible(details)],
      ]);
      if (json) context.print(JSON.stringify(page));
      else if (rows.length > 0)
        context.print(table(columnsOf(["N", "AT", "WHO", "ACTION", "DETAILS"], ["N"]), rows, context.terminal));
      context.note(showCount(rows.length, "entry", "entries"));
      if (page.next !== null) context.note(`More: --before ${page.next}, or --limit all`);
      return exit.done;
    });
  },
});

export const auditExportCommand = command({
  name: "audit export",
  inLines: true,
  summary: "the whole audit log as lines of JSON, newest first",
  examples: [{ line: "dlo audit export > audit.ndjson", about: "for whoever has to read it elsewhere" }],
  details: [
    "An entry a line, and a last line that says how many there are: without it the file was cut. `dlo audit verify` proves that the " +
      "log they come from is whole.",
  ],
  flags: ledgerFlags,

  async run({ json: _alwaysJson, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      let n = 0;
      for (let before: number | null = null, isFirst = true; isFirst || before !== null; isFirst = false) {
        const { items, next }: OutputOf<"audit.list"> = await ask("audit.list", { limit: pageSize, before });
        for (const { details, ...entry } of items)
          context.print(JSON.stringify({ ...entry, details: JSON.parse(details) as unknown }));
        n += items.length;
        before = next === null ? null : Number(next);
        if (context.signal.aborted) return exit.interrupted;
      }
      context.print(JSON.stringify({ kind: "end", n }));
      return exit.done;
    });
  },
});
