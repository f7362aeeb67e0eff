import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";

export const sourcesRemoveCommand = command({
  name: "sources remove",
  summary: "lets go of a broker that was connected in the web UI; its letters stay",
  examples: [{ line: "dlo sources remove rabbit-eu", about: "nothing is drained from it or sent to it any more" }],
  details: ["A source of the configuration is taken out there."],
  operand: { placeholder: "SOURCE", about: "its name", required: true },
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const { name } = await ask("sources.remove", { name: operand ?? "" });
      context.print(json ? JSON.stringify({ name }) : `${name} is no source any more. Its letters stay.`);
      return exit.done;
    });
  },
});
