import { showAge, showRemaining } from "../../domain/duration.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { count } from "../doctor/report.ts";
import { exit } from "../exit-codes.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

export const retentionShowCommand = command({
  name: "retention show",
  summary: "what is past its time, and would go; changes nothing",
  examples: [{ line: "dlo retention show", about: "by `ledger.retention` of the configuration, 90 days without one" }],
  details: ["A running server applies it every hour, in one of its processes with the duty intake."],
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
        context.print(retentionLine(due.runs, context));
      }
      if (due.toExpire > 0 || due.weeks.length > 0) context.note("Next: dlo retention apply");
      return exit.done;
    });
  },
});

/** When it ran last, what that came to, and when it runs next. */
export function retentionLine(
  { last, nextAt, isRunning }: OutputOf<"retention.get">["runs"],
  { when, clock }: Pick<Context, "when" | "clock">,
): string {
  const came = (run: NonNullable<typeof last>) =>
    `last run ${when(run.at)} ago by ${visible(run.by)}: ${count(run.expired, "letter")} expired, ` +
    `${showNumber(run.letters)} removed with ${count(run.weeks, "week")}`;
  const inMs = nextAt === null ? 0 : Math.max(0, Date.parse(nextAt) - clock.now());
  const next = isRunning
    ? "running now"
    : inMs === 0
      ? "next as soon as a server looks"
      : `next in ${showRemaining(inMs)}`;
  return `${last === null ? "no run came to its end yet" : came(last)}; ${next}`;
}

export const retentionApplyCommand = command({
  name: "retention apply",
  summary: "expires letters past their time, and lets whole weeks of ended letters go",
  examples: [{ line: "dlo retention apply --as ops-1", about: "now, rather than at the next run of the server" }],
  details: [
    "Letters nobody decided about become expired, which the audit log says. A week goes from the ledger when every letter in " +
      "it has come to its end and is in no replay that can go on. Letters with a compensation or return in doubt stay. The audit log stays, and so does what letters are recognised by: " +
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
          const why =
            because === "busy"
              ? "the database was busy with it; try again"
              : "some of its letters are in a replay, or a message for one is in doubt";
          context.print(`The week of ${week} stays: ${why}.`);
        }
      }
      return exit.done;
    });
  },
});
