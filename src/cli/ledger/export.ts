import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { queryFlag } from "../flags.ts";
import { idsOf } from "./ids-of.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";
import { noteWarnings } from "./search-warnings.ts";
import { unmaskedBecause, unmaskedFlags } from "./unmasked-flags.ts";

export const exportCommand = command({
  name: "letters export",
  inLines: true,
  alias: "export",
  summary: "letters as lines of JSON, which `dlo letters import` reads",
  examples: [
    {
      line: "dlo letters export -q 'queue:orders category:transient' > orders.ndjson",
      about: "masked: no secret leaves",
    },
    { line: "dlo letters export - < ids.txt", about: "those whose ids are piped in" },
    {
      line: "dlo letters export --unmasked --reason 'moving to a new ledger' > all.ndjson",
      about: "as they are; audited",
    },
  ],
  details: [
    "A body with something in it that must not be shown is left out, and so is one that is not text; headers are masked. " +
      "`body.why` says why one is left out: masked, not_text, not_kept, deleted, unavailable or too_large. The " +
      "last line says how many there are: without it the file was cut.",
  ],
  operand: { placeholder: "LETTER...|-", about: "these letters; - reads ids from stdin", required: false, most: 1_000 },
  flags: {
    ...ledgerFlags,
    query: queryFlag("which letters; all without it"),
    ...unmaskedFlags,
  },

  async run({ operand, query, unmasked, reason, ...values }, context) {
    const because = unmaskedBecause({ unmasked, reason });
    if (operand !== null && query !== "")
      throw new UsageError("unexpected_value", "Name the letters, or search for them with --query: not both.");
    const queries = operand === null ? [query] : searchesFor(await idsOf(operand, context.input));
    return withOffice(values, context, async (work) => {
      let [n, isFirst] = [0, true];
      for await (const { by, at, lines, warnings } of pagesOf(work, queries, because)) {
        if (isFirst) noteWarnings(warnings, context);
        if (isFirst) context.print(JSON.stringify({ v: 1, kind: "export", query, at, by, masked: !unmasked }));
        for (const line of lines) context.print(line);
        n += lines.length;
        isFirst = false;
        if (context.signal.aborted) return exit.interrupted;
      }
      context.print(JSON.stringify({ kind: "end", n }));
      return exit.done;
    });
  },
});

type Page = OutputOf<"letters.export">;

/** A search may be some thousand characters long. */
const idsInASearch = 100;

function searchesFor(ids: readonly string[]): readonly string[] {
  const parts = Array.from({ length: Math.ceil(ids.length / idsInASearch) }, (_, part) => part * idsInASearch);
  return parts.map((start) => `id:${ids.slice(start, start + idsInASearch).join(",")}`);
}

async function* pagesOf({ ask }: AtWork, queries: readonly string[], because: string | null): AsyncGenerator<Page> {
  for (const q of queries) {
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const page: Page = await ask("letters.export", { q, after, unmaskedBecause: because });
      yield page;
      after = page.next;
    }
  }
}
