import { showAge } from "../../domain/duration.ts";
import { command } from "../command.ts";
import { count } from "../doctor/report.ts";
import { exit } from "../exit-codes.ts";
import { showNumber } from "../terminal/units.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

export const retentionShowCommand = command({
  name: "retention show",
  summary: "what is past its time, and would go; changes nothing",
  examples: [{ line: "dlo retention show", about: "by `ledger.retention` of the configuration, 90 days without one" }],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const due = await ask("retention.get", {});
      if (json) context.print(JSON.stringify(due));
      else {
        const atLeast = due.isAtLeast ? "more than " : "";
        context.print(
          `Letters are kept for ${showAge(due.retentionMs)}. Past that: ${atLeast}${count(due.toExpire, "letter")} nobody has decided about.`,
        );
        if (due.weeks.length > 0) context.print(`Weeks past it as a whole: ${due.weeks.join(", ")}.`);
      }
      if (due.toExpire > 0 || due.weeks.length > 0) context.note("Next: dlo retention apply");
      return exit.done;
    });
  },
});

export const retentionApplyCommand = command({
  name: "retention apply",
  summary: "expires letters past their time, and lets whole weeks of ended letters go",
  examples: [{ line: "dlo retention apply --as ops-1", about: "once a day, from a scheduler" }],
  details: [
    "Letters nobody decided about become expired, which the audit log says. A week goes from the ledger when every letter in " +
      "it has come to its end and is in no replay under way. The audit log stays, and so does what letters are recognised by: " +
      "a log that is drained again does not raise them.",
  ],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const { expired, dropped, kept } = await ask("retention.apply", {});
      if (json) context.print(JSON.stringify({ expired, dropped, kept }));
      else {
        const gone = dropped.reduce((sum, { letters }) => sum + letters, 0);
        context.print(
          `${count(expired, "letter")} expired, ${showNumber(gone)} gone with ${count(dropped.length, "week")}.`,
        );
        for (const { week, because } of kept) {
          const why = because === "busy" ? "somebody was reading it; try again" : "some of its letters are in a replay";
          context.print(`The week of ${week} stays: ${why}.`);
        }
      }
      return exit.done;
    });
  },
});
