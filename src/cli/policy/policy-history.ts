import { type Category, categories } from "../../domain/classification.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { numberFlag } from "../flags.ts";
import { type LedgerValues, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { protocolInLines } from "./policy-list.ts";

export const policyHistoryCommand = command({
  name: "policy history",
  summary: "every version of the policy that was applied, newest first",
  examples: [{ line: "dlo policy history", about: "who applied what, and when" }],
  flags: {
    ...ledgerFlags,
    limit: numberFlag({ about: "how many at most", default: 50, min: 1, max: 200, integer: true }),
  },

  async run({ limit, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const { items, next } = await ask("policy.history", { limit });
      const titles = ["VERSION", "HASH", "APPLIED", "BY"].map((title) => ({ title, align: "left" as const }));
      const rows = items.map(({ version, hash, appliedAt, appliedBy }) => [
        ...[
          String(version),
          hash.slice(0, 12),
          appliedAt === null ? "" : context.when(appliedAt),
          visible(appliedBy ?? ""),
        ],
      ]);
      if (json) context.print(JSON.stringify({ items, next }));
      else if (rows.length > 0) context.print(table(titles, rows, context.terminal));
      if (items.length === 0) context.note("No policy was applied yet: the default holds (`dlo policy show`).");
      return exit.done;
    });
  },
});

export const policyShowCommand = command({
  name: "policy show",
  summary: "the policy in force, as it was written",
  examples: [
    { line: "dlo policy show", about: "to begin with: dlo policy show > dlo.policy.yaml" },
    { line: "dlo policy show 3", about: "version 3 of `dlo policy history`" },
    {
      line: "dlo policy show transient",
      about: "what holds for letters of that category, in words, and who may approve",
    },
  ],
  operand: {
    placeholder: "VERSION|CATEGORY",
    of: categories,
    about: "a version's number, or a category; else the one in force",
    required: false,
  },
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    const category = categories.find((each) => each === operand);
    if (category !== undefined) return showProtocol(category, json, values, context);
    const version = operand === null ? null : Number(operand);
    if (version !== null && !(Number.isInteger(version) && version > 0)) {
      throw new UsageError(
        "unexpected_value",
        `\`${operand}\` is neither a version's number nor a category.`,
        "`dlo policy history` lists versions, `dlo policy list` categories.",
      );
    }
    return withOffice(values, context, async ({ ask }) => {
      const policy = await ask("policy.get", { version });
      context.print(json ? JSON.stringify(policy) : policy.text.trimEnd());
      const what = policy.version === null ? "The default policy: nobody applied one." : `Version ${policy.version}.`;
      context.note(what);
      return exit.done;
    });
  },
});

function showProtocol(category: Category, json: boolean, values: LedgerValues, context: Context): Promise<number> {
  return withOffice(values, context, async ({ ask }) => {
    const { version, items } = await ask("policy.protocols", {});
    const said = items.find((each) => each.category === category);
    if (said === undefined) throw new Error(`the office says nothing of ${category}`);
    const { protocol, ...words } = said;
    context.print(json ? JSON.stringify({ version, ...words, ...protocol }) : protocolInLines(said, context.terminal));
    context.note(version === null ? "The default policy: nobody applied one." : `Version ${version}.`);
    return exit.done;
  });
}
