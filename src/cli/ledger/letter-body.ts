import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { visible } from "../terminal/text.ts";
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
    "Nothing is added to it, not even a line end. A body that is no text, or has more than 2 MiB, cannot be masked, so it is given " +
      "as it is or not at all. " +
      "With --json it comes in base64. On a terminal control characters are shown as escapes, so that a body cannot command it.",
  ],
  operand: { placeholder: "LETTER", about: "its id, ltr_…", required: true },
  flags: { ...ledgerFlags, ...unmaskedFlags },

  async run({ operand, unmasked, reason, json, ...values }, context) {
    const because = unmaskedBecause({ unmasked, reason });
    return withOffice(values, context, async ({ ask }) => {
      const body = await ask("letters.body", { id: operand ?? "", unmaskedBecause: because });
      if (json) context.print(JSON.stringify(body));
      else writeBody(Buffer.from(body.base64, "base64"), context);
      return exit.done;
    });
  },
});

/** Byte for byte, but on a terminal, which would obey what a stranger wrote: set its title, or what the clipboard holds. */
export function writeBody(body: Buffer, context: Pick<Context, "terminal" | "printBytes" | "note">): void {
  const shown = context.terminal.interactive
    ? Buffer.from(body.toString().replaceAll(/[^\n\t]+/g, (text) => visible(text)))
    : body;
  context.printBytes(shown);
  if (!shown.equals(body)) context.note("Not all of it can be shown here as it is: `> FILE` has it byte by byte.");
}
