import { OfficeError } from "../../domain/errors.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { switchFlag, textFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

export const exportCommand = command({
  name: "export",
  summary: "letters as lines of JSON, which `dlo import` reads",
  examples: [
    { line: "dlo export -q 'queue:orders category:transient' > orders.ndjson", about: "masked: no secret leaves" },
    { line: "dlo export --unmasked --reason 'moving to a new ledger' > all.ndjson", about: "as they are; audited" },
  ],
  details: [
    "A body with something in it that must not be shown is left out, and so is one that is no text; headers are masked. The " +
      "last line says how many there are: without it the file was cut.",
  ],
  flags: {
    ...ledgerFlags,
    query: { ...textFlag({ placeholder: "QUERY", about: "which letters; all without it" }), short: "q" },
    unmasked: switchFlag("bodies and headers as they are; needs --reason"),
    reason: textFlag({ placeholder: "TEXT", about: "why unmasked, for the audit log" }),
  },

  async run({ query, unmasked, reason, ...values }, context) {
    if (unmasked && reason === "")
      throw new OfficeError("INVALID_OPTION", "`--unmasked` needs `--reason`: it goes to the audit log.");
    return withOffice(values, context, async ({ actor, exportLetters }) => {
      for await (const line of exportLetters({ q: query, actor, unmaskedBecause: unmasked ? reason : null })) {
        if (context.signal.aborted) return exit.interrupted;
        context.print(line);
      }
      return exit.done;
    });
  },
});
