import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { durationFlag, numberFlag, optional, switchFlag, textFlag } from "../flags.ts";
import { columnsOf, table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";
import { limitFlag, upTo } from "./limit-flag.ts";

const pageSize = 200;

export const auditListCommand = command({
  name: "audit list",
  summary: "who did what, newest first",
  examples: [
    { line: "dlo audit", about: "the last fifty entries" },
    { line: "dlo audit list --by ops-1 --since 8h", about: "what somebody did tonight" },
    { line: "dlo audit list --about rpl_01JCQ8", about: "all that was done with a replay, and what came back of it" },
    { line: "dlo audit list --action replay.approved", about: "who approved what" },
    { line: "dlo audit list --limit 200 --json", about: "for a program: { items, next }" },
  ],
  flags: {
    ...ledgerFlags,
    limit: limitFlag("how many at most"),
    before: optional(numberFlag({ about: "those before this number", default: 1, min: 1, max: 1e15 }), "the end"),
    by: textFlag({ placeholder: "WHO", about: "only what they did" }),
    action: textFlag({ placeholder: "ACTION", about: "only this, such as replay.approved, or all of replay" }),
    about: textFlag({ placeholder: "TEXT", about: "only what names this id, queue or anything else" }),
    since: optional(durationFlag({ about: "only what was done since", default: "8h", min: "1m", max: "365d" }), "ever"),
    "without-office": switchFlag("without what the office did by itself, such as taking letters in"),
  },

  async run({ limit, before, by, action, about, since, "without-office": withoutOffice, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const from = since === null ? null : new Date(context.clock.now() - since).toISOString();
      const start = before === null ? null : String(before);
      const page = await upTo(limit, { pageSize, from: start }, (size, place) =>
        ask("audit.list", {
          ...{ limit: size, before: place === null ? null : Number(place) },
          ...{ by, action, about, withoutOffice, from },
        }),
      );
      const rows = page.items.map(({ n, at, actor, action: done, sentence }) => [
        ...[String(n), context.when(at, "utc"), visible(actor), done, visible(sentence)],
      ]);
      if (json) context.print(JSON.stringify(page));
      else if (rows.length > 0)
        context.print(table(columnsOf(["N", "AT", "WHO", "ACTION", "WHAT"], ["N"]), rows, context.terminal));
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
        for (const { details, sentence: _inWords, ...entry } of items)
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
