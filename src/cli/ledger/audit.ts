import { OfficeError } from "../../domain/errors.ts";
import { showCount } from "../../domain/show-count.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { textFlag } from "../flags.ts";
import { readAnchor, writeAnchor } from "./anchor-file.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

export const auditVerifyCommand = command({
  name: "audit verify",
  summary: "proves that the audit log is whole: nothing edited, deleted, reordered or cut",
  examples: [
    { line: "dlo audit verify", about: "computes every hash again" },
    {
      line: "dlo audit verify --anchor audit.anchor",
      about: "also against a cut end; writes the new end to that file",
    },
  ],
  details: [
    "Each entry's hash is made of the one before and its own bytes. Who can write to the database could cut the end and " +
      "set the head back: against that, keep an anchor file elsewhere. It is read before and written after a proof.",
  ],
  flags: {
    ...ledgerFlags,
    anchor: textFlag({ placeholder: "FILE", about: "where the last proven end is written down" }),
  },

  async run({ anchor, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const known = anchor === "" ? null : await readAnchor(anchor);
      const { entries, head, problem } = await ask("audit.verify", { anchor: known });
      if (problem !== null) {
        throw new OfficeError(
          "AUDIT_BROKEN",
          `${problem} ${showCount(entries, "entry before that is", "entries before that are")} whole.`,
          {
            details: { entries },
          },
        );
      }
      if (anchor !== "") await writeAnchor(anchor, head);
      const proven = `${showCount(entries, "entry is", "entries are")} whole, up to ${head.hash.slice(0, 16)}…`;
      context.print(json ? JSON.stringify({ entries, head }) : proven);
      if (anchor === "") context.note("A cut end goes unseen without an anchor: --anchor FILE.");
      return exit.done;
    });
  },
});
