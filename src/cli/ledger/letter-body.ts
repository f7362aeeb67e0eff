import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";
import { unmaskedBecause, unmaskedFlags } from "./unmasked-flags.ts";

export const letterBodyCommand = command({
  name: "letters body",
  summary: "the body of one letter, byte by byte, to a file or a pipe",
  examples: [
    { line: "dlo letters body ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H | jq .", about: "masked: no secret leaves" },
    {
      line: "dlo letters body ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --unmasked --reason 'needed by the bank' > body.json",
      about: "as it is; audited",
    },
  ],
  details: [
    "Nothing is added to it, not even a line end. A body that is no text cannot be masked, so it is given as it is or not at all. " +
      "With --json it comes in base64.",
  ],
  operand: { placeholder: "ID", about: "the letter's id: ltr_…", required: true },
  flags: { ...ledgerFlags, ...unmaskedFlags },

  async run({ operand, unmasked, reason, json, ...values }, context) {
    const because = unmaskedBecause({ unmasked, reason });
    return withOffice(values, context, async ({ ask }) => {
      const body = await ask("letters.body", { id: operand ?? "", unmaskedBecause: because });
      if (json) context.print(JSON.stringify(body));
      else context.printBytes(Buffer.from(body.base64, "base64"));
      return exit.done;
    });
  },
});
