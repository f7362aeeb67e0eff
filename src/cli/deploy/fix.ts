import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { numberFlag, textFlag } from "../flags.ts";
import { type AtWork, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { momentFlag } from "./moment-flag.ts";

export const fixRecordCommand = command({
  name: "fix record",
  summary: "that what broke a group's letters is mended: those that failed before may go back",
  examples: [
    {
      line: "dlo fix record grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --called invoices@4.2.1",
      about: "live since now",
    },
  ],
  details: [
    "Letters of the category poison are blocked until a fix of their group is recorded; then those go that failed before it. " +
      "Those that failed after it stay blocked: they prove that it does not cover every case. Where it is not known when a " +
      "letter failed, only that it was here by then, that proves nothing and needs an acknowledgement.",
  ],
  operand: { placeholder: "GROUP", about: "the group's id: grp_…", required: true },
  flags: {
    ...ledgerFlags,
    called: textFlag({ placeholder: "TEXT", about: "what people know it by: a version, a commit, a ticket" }),
    "introduced-by": textFlag({ placeholder: "COMMIT", about: "what brought the bug in: a commit or a version" }),
    reason: textFlag({ placeholder: "TEXT", about: "what was mended" }),
    at: momentFlag("since when it is live"),
  },

  async run({ operand, called, "introduced-by": introducedBy, reason, at, json, ...values }, context) {
    if (called === "") throw new UsageError("missing_value", "`--called` is missing: what do people know the fix by?");
    return withOffice(values, context, async (work) => {
      const said = { called, introducedBy: introducedBy || null, reason: reason || null, fixedAt: at };
      const fix = await record(work, { group: operand ?? "", ...said });
      context.print(json ? JSON.stringify(fix) : drawing(fix));
      return exit.done;
    });
  },
});

export const fixRetractCommand = command({
  name: "fix retract",
  summary: "that a fix was none: it opens nothing any more",
  examples: [{ line: "dlo fix retract fix_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "it stays on record" }],
  operand: { placeholder: "FIX", about: "the fix's id: fix_…", required: true },
  flags: { ...ledgerFlags, reason: textFlag({ placeholder: "TEXT", about: "why, for the audit log" }) },

  async run({ operand, reason, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const retracted = await ask("fixes.retract", { id: operand ?? "", reason: reason || null });
      context.print(json ? JSON.stringify(retracted) : `${retracted.id} is retracted.`);
      return exit.done;
    });
  },
});

export const fixListCommand = command({
  name: "fix list",
  summary: "fixes that were recorded, with the letters that failed before and after each",
  examples: [{ line: "dlo fix list", about: "AFTER are letters that prove a fix did not cover every case" }],
  flags: {
    ...ledgerFlags,
    limit: numberFlag({ about: "how many at most", default: 20, min: 1, max: 50, integer: true }),
  },

  async run({ limit, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const { items, next } = await ask("fixes.list", { limit });
      if (json) context.print(JSON.stringify({ items, next }));
      else if (items.length > 0)
        context.print(
          table(
            columns,
            items.map((fix) => row(fix, context)),
            context.terminal,
          ),
        );
      if (items.length === 0) context.note("No fix was recorded.");
      return exit.done;
    });
  },
});

const record = ({ ask }: AtWork, said: Said) => ask("fixes.record", said);

interface Said {
  readonly group: string;
  readonly called: string;
  readonly introducedBy: string | null;
  readonly reason: string | null;
  readonly fixedAt: string | null;
}

type Fix = OutputOf<"fixes.record">;

const columns = ["FIX", "GROUP", "CALLED", "SINCE", "BEFORE", "AFTER", "UNKNOWN", "INTRODUCED BY", "BY"].map(
  (title) => ({
    title,
    align: ["BEFORE", "AFTER", "UNKNOWN"].includes(title) ? ("right" as const) : ("left" as const),
  }),
);

function row(fix: Fix, { when }: Context): string[] {
  const { id, group, called, fixedAt, letters, introducedBy, recordedBy, retractedBy } = fix;
  const by = retractedBy === null ? recordedBy : `${recordedBy}, retracted by ${retractedBy}`;
  const counts = [letters.before, letters.after, letters.unknown].map((n) => showNumber(n));
  return [id, group, visible(called), when(fixedAt), ...counts, visible(introducedBy ?? ""), visible(by)];
}

function drawing({ id, letters: { before, after, unknown, proof } }: Fix): string {
  const lines = [
    `${id} recorded.`,
    `${showCount(before, "letter")} older than the fix: it may help them.`,
    ...(after === 0
      ? []
      : [`${showCount(after, "letter")} newer: blocked, since it did not help there (${proof.join(", ")}).`]),
    ...(unknown === 0 ? [] : [`${showCount(unknown, "letter")} of which it cannot be told: to be acknowledged.`]),
  ];
  return lines.join("\n");
}
