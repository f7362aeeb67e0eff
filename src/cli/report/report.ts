import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { durationFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { visible } from "../terminal/text.ts";

export const reportCommand = command({
  name: "report",
  summary: "a shift in words, to be pasted where the next one reads it: what came, what is open, what was done",
  examples: [
    { line: "dlo report --since 8h", about: "the night" },
    { line: "dlo report --since 8h --json", about: "the same in figures, for a program" },
  ],
  details: [
    "It counts from the beginning of the hour that so long ago was in, and holds nothing of what a letter does. The web UI's " +
      "*Copy summary* has the same words.",
  ],
  flags: {
    ...ledgerFlags,
    since: durationFlag({ about: "how far back", default: "8h", min: "1m", max: "31d" }),
  },

  async run({ since, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const report = await ask("report.get", { sinceS: since / 1_000 });
      context.print(json ? JSON.stringify(report) : report.text.split("\n").map(visible).join("\n"));
      return exit.done;
    });
  },
});
