import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { visible } from "../terminal/text.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

const groupOperand = { placeholder: "GROUP", about: "its id, grp_…", required: true } as const;

export const groupsShowCommand = command({
  name: "groups show",
  summary: "one group in words that fit a chat or a ticket, and the one next step about it",
  examples: [
    { line: "dlo groups show grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "what failed, how many, since when" },
    { line: "dlo groups show grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --json", about: "for a program" },
  ],
  operand: groupOperand,
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const group = await ask("groups.get", { id: operand ?? "" });
      context.print(json ? JSON.stringify(group) : groupInLines(group).map(visible).join("\n"));
      return exit.done;
    });
  },
});

/** What is known of it, and what to type next. */
export function groupInLines({ id, summary }: Pick<OutputOf<"groups.get">, "id" | "summary">): readonly string[] {
  return [...summary.split("\n"), "", `dlo letters -q group:${id}`, `dlo replay plan -q group:${id}`];
}
