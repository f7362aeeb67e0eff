import { command } from "../command.ts";
import { drawChanges } from "../edit/draw-changes.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { replayOperand } from "./look.ts";

export const replayChangesCommand = command({
  name: "replay changes",
  summary: "what a replay sends other than it came: each edited letter with its changes",
  examples: [
    { line: "dlo replay changes rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "before it is asked for or approved" },
  ],
  operand: replayOperand,
  flags: {
    ...ledgerFlags,
    limit: numberFlag({ about: "how many letters at most", default: 10, min: 1, max: 50 }),
    after: numberFlag({ about: "the ones behind this number", default: 0, min: 0, max: 1e9 }),
  },

  async run({ operand, limit, after, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const page = await ask("replays.changes", { id: operand ?? "", limit, after });
      if (json) context.print(JSON.stringify(page));
      else
        for (const { n, letter, revision, changes } of page.items) {
          const heading = context.terminal.paint("bold", `${n}  ${letter}  revision ${revision}`);
          context.print(`${heading}\n${drawChanges(changes, context)}\n`);
        }
      if (page.items.length === 0) context.note("No letter of it is edited: all go as they came.");
      if (page.next !== null) context.note(`More: --after ${page.next}`);
      return exit.done;
    });
  },
});
