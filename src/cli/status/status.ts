import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { drawStatus } from "./draw-status.ts";
import { statusOf } from "./whole-status.ts";

export const statusCommand = command({
  name: "status",
  summary: "how things are on one screen: the office itself, what it drains, letters, breakers, replays",
  examples: [
    { line: "dlo status", about: "what troubles it stands beside what it troubles" },
    { line: "dlo status --json", about: "for a program" },
  ],
  details: [
    "All of it is of the whole office: each process tells the ledger with its heartbeat what it drains, hears, tells and leads.",
  ],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const status = await statusOf(work);
      context.print(json ? JSON.stringify(status) : drawStatus(status, context));
      return exit.done;
    });
  },
});
