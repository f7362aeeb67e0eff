import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";

export const breakersCommand = command({
  name: "breakers list",
  summary: "whether dependencies are back: breakers as consumers report them, open ones first",
  examples: [{ line: "dlo breakers", about: "SAYING: how many of the processes that have it say so" }],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const found = await breakersOf(work);
      if (json) context.print(JSON.stringify(found));
      else if (found.items.length > 0) context.print(table(columns, rowsOf(found.items, context), context.terminal));
      if (found.items.length === 0) context.note("No consumer has reported a breaker.");
      return exit.done;
    });
  },
});

export const breakersShowCommand = command({
  name: "breakers show",
  summary: "one dependency: how each queue and service that has a breaker for it sees it",
  examples: [{ line: "dlo breakers show payments-api", about: "whether it is back, and who says so" }],
  details: [
    "Breakers are kept by the consumers, which report them. The office cannot open or close one: it hears of them, and no consumer " +
      "listens to it.",
  ],
  operand: { placeholder: "NAME", about: "the dependency, as `dlo breakers` has it", required: true },
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const { items: all } = await breakersOf(work);
      const items = all.filter(({ name }) => name === operand);
      if (json) context.print(JSON.stringify({ items, next: null }));
      else if (items.length > 0) context.print(table(columns, rowsOf(items, context), context.terminal));
      if (items.length > 0) return exit.done;
      context.note(`No consumer has reported a breaker \`${operand}\`. \`dlo breakers\` lists those there are.`);
      return exit.notFound;
    });
  },
});

const breakersOf = ({ ask }: AtWork) => ask("breakers.list", {});

type Breakers = Awaited<ReturnType<typeof breakersOf>>["items"];

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
