import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { columnsOf, table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { replayShowCommand } from "./look.ts";

export const approvalsListCommand = command({
  name: "approvals list",
  summary: "plans that wait for somebody's yes, those that expire first at the top",
  examples: [{ line: "dlo approvals", about: "who asks, how many letters, until when" }],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const { items: found, next } = await ask("replays.list", { states: ["awaiting_approval"], limit: 200 });
      const items = found.toSorted((one, other) => (one.expiresAt < other.expiresAt ? -1 : 1));
      if (json) context.print(JSON.stringify({ items, next }));
      else if (items.length > 0) context.print(approvalsTable(items, context));
      context.note(
        items.length === 0 ? "Nothing waits for an approval." : `${showCount(items.length, "plan")} waiting`,
      );
      if (items.length > 0) context.note("Look at one: dlo approvals show REPLAY");
      return exit.done;
    });
  },
});

function approvalsTable(items: OutputOf<"replays.list">["items"], { terminal, when }: Context): string {
  const rows = items.map(({ id, counts, approvals, approvalsNeeded, requestedBy, expiresAt, name, reason }) => [
    ...[id, showNumber(counts.toSend), `${approvals.filter(isYes).length}/${approvalsNeeded}`, visible(requestedBy)],
    ...[when(expiresAt, "utc"), visible(reason === null ? name : `${name}: ${reason}`)],
  ]);
  const titles = ["REPLAY", "TO SEND", "YES", "ASKED BY", "EXPIRES", "WHAT"];
  return table(columnsOf(titles, ["TO SEND", "YES"]), rows, terminal);
}

function isYes({ verdict, counts }: { readonly verdict: string; readonly counts: boolean }): boolean {
  return verdict === "approved" && counts;
}

export const approvalsShowCommand = command({
  ...replayShowCommand,
  name: "approvals show",
  summary: "one plan as whoever approves it should see it: what goes, what does not and why, who agreed",
  examples: [{ line: "dlo approvals show rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "the same as `dlo replay show`" }],
});
