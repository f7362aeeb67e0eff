import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";

export const alertsListCommand = command({
  name: "alerts list",
  summary: "what the alert rules found: what is on first, then what is over",
  examples: [{ line: "dlo alerts list", about: "TAKEN BY: who takes care of it" }],
  flags: {
    ...ledgerFlags,
    limit: numberFlag({ about: "how many at most", default: 50, min: 1, max: 200, integer: true }),
  },

  async run({ limit, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const found = await work.ask("alerts.list", { limit });
      if (json) context.print(JSON.stringify(found));
      else if (found.items.length > 0) context.print(table(columns, rowsOf(found.items, context), context.terminal));
      if (found.items.length === 0) context.note("No alert rule has found anything. `dlo alerts rules` shows them.");
      return exit.done;
    });
  },
});

export const alertsAckCommand = command({
  name: "alerts ack",
  summary: "that you take care of an alert; whoever was told of it is told that too",
  examples: [{ line: "dlo alerts ack alr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "PagerDuty stops calling the next one" }],
  operand: { placeholder: "ALERT", about: "the alert's id: alr_…", required: true },
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const taken = await ask("alerts.acknowledge", { id: operand ?? "" });
      context.print(json ? JSON.stringify(taken) : `${taken.id} is yours.`);
      return exit.done;
    });
  },
});

type Alerts = OutputOf<"alerts.list">["items"];

const columns = ["ALERT", "STATE", "SINCE", "RULE", "TAKEN BY", "WHAT"].map((title) => ({
  title,
  align: title === "SINCE" ? ("right" as const) : ("left" as const),
}));

function rowsOf(alerts: Alerts, { when }: Context): string[][] {
  return alerts.map(({ id, clearedAt, firedAt, rule, acknowledgedBy, sentence }) => [
    ...[id, clearedAt === null ? "on" : "over", when(clearedAt ?? firedAt)],
    ...[rule, visible(acknowledgedBy ?? "nobody"), visible(sentence)],
  ]);
}
