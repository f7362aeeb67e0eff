import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

export const breakersCommand = command({
  name: "breakers list",
  summary: "whether dependencies are back: breakers as consumers report them, open ones first",
  examples: [{ line: "dlo breakers", about: "SAYING: how many of the processes that have it say so" }],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const found = await work.ask("breakers.list", {});
      if (json) context.print(JSON.stringify(found));
      else if (found.items.length > 0) context.print(drawBreakers(found.items, context));
      if (found.items.length === 0) context.note("No consumer reports a breaker that is open, or was lately.");
      return exit.done;
    });
  },
});

export type Breakers = OutputOf<"breakers.list">["items"];

/** Breakers of queues, as a table. */
export function drawBreakers(breakers: Breakers, context: Context): string {
  return table(columns, rowsOf(breakers, context), context.terminal);
}

const columns = ["STATE", "DEPENDENCY", "QUEUE", "SERVICE", "SINCE", "SAYING"].map((title) => ({
  title,
  align: ["SINCE", "SAYING"].includes(title) ? ("right" as const) : ("left" as const),
}));

function rowsOf(breakers: Breakers, { when }: Context): string[][] {
  return breakers.map(({ state, name, source, queue, service, since, saying, processes }) => [
    ...[state, visible(name), visible(`${source}/${queue}`), visible(service)],
    ...[when(since), `${saying}/${processes}`],
  ]);
}
