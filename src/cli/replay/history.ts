import { showCount } from "../../domain/show-count.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { visible } from "../terminal/text.ts";
import { replayOperand } from "./look.ts";

export const replayHistoryCommand = command({
  name: "replay history",
  summary: "all that was done with a replay, by whom and why, oldest first",
  examples: [
    { line: "dlo replay history rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "who approved, halted and resumed it" },
  ],
  operand: replayOperand,
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const history = await ask("replays.history", { id: operand ?? "" });
      if (json) context.print(JSON.stringify(history));
      else for (const { at, text } of history.items) context.print(`${context.when(at, "utc")}  ${visible(text)}`);
      context.note(showCount(history.items.length, "entry", "entries"));
      return exit.done;
    });
  },
});
