import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { textFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";
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
    {
      line: "dlo letters export --unmasked --reason 'moving to a new ledger' > all.ndjson",
      about: "as they are; audited",
    },
  ],
  details: [
    "A body with something in it that must not be shown is left out, and so is one that is no text; headers are masked. The " +
      "last line says how many there are: without it the file was cut.",
  ],
  flags: {
    ...ledgerFlags,
    query: { ...textFlag({ placeholder: "QUERY", about: "which letters; all without it" }), short: "q" },
    ...unmaskedFlags,
  },

  async run({ query, unmasked, reason, ...values }, context) {
    const because = unmaskedBecause({ unmasked, reason });
    return withOffice(values, context, async ({ ask }) => {
      let n = 0;
      for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
        const { by, at, lines, next }: Page = await ask("letters.export", {
          q: query,
          after,
          unmaskedBecause: because,
        });
        if (isFirst) context.print(JSON.stringify({ v: 1, kind: "export", query, at, by, masked: !unmasked }));
        for (const line of lines) context.print(line);
        n += lines.length;
        after = next;
        if (context.signal.aborted) return exit.interrupted;
      }
      context.print(JSON.stringify({ kind: "end", n }));
      return exit.done;
    });
  },
});

type Page = OutputOf<"letters.export">;
