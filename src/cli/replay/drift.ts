import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { replayOperand } from "./look.ts";

export const replayDriftCommand = command({
  name: "replay drift",
  summary: "what has changed for a plan since it was frozen: the letters that would not go any more, and why",
  examples: [
    { line: "dlo replay drift rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "before it is approved; 6 where it is stale" },
  ],
  details: [
    "Each letter that is still to go is judged again, as it will be when its turn comes. Those that are named here drop out then; " +
      "an approval stays good for the rest. Looking changes nothing, and asks nobody: probes and health checks of the policy and " +
      "probes of consumers are asked before a letter goes.",
  ],
  operand: replayOperand,
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const drift = await work.ask("replays.drift", { id: operand ?? "" });
      if (json) context.print(JSON.stringify(drift));
      else if (drift.n > 0) context.print(driftTable(drift.items, context));
      context.note(summaryOf(drift));
      return drift.n === 0 ? exit.done : exit.conflict;
    });
  },
});

type Drift = OutputOf<"replays.drift">;

function summaryOf({ checked, isPartial, unasked, notChecked, n }: Drift): string {
  const of = `${isPartial ? "the first " : ""}${showNumber(checked)} that are still to go`;
  const later = unasked === 0 ? "" : ` Probes were not asked: of ${showNumber(unasked)} they are, before those go.`;
  const found =
    n === 0 ? `Nothing new speaks against ${of}.` : `Stale: of ${of}, ${showNumber(n)} would not go any more.`;
  const blind = notChecked.map((each) => ` Where ${showNumber(each.n)} go was not checked: ${visible(each.why)}.`);
  return `${found}${later}${blind.join("")}`;
}

function driftTable(items: Drift["items"], { terminal }: Context): string {
  const rows = items.map(({ n, letter, reason }) => [String(n), letter, reason.code, visible(reason.sentence)]);
  const columns = [
    { title: "N", align: "right" },
    { title: "LETTER", align: "left" },
    { title: "REASON", align: "left" },
    { title: "WHY", align: "left" },
  ] as const;
  return table(columns, rows, terminal);
}
