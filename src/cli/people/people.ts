import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { textFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";

type Person = OutputOf<"people.list">["items"][number];

const operand = { placeholder: "NAME", about: "as `dlo people list` has it", required: true } as const;

export const peopleListCommand = command({
  name: "people list",
  summary: "list who can sign in, and how",
  examples: [{ line: "dlo people list", about: "when somebody is refused because their name is another account" }],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const found = await ask("people.list", {});
      const rows = found.items.map((person) => [
        person.id,
        person.kind,
        person.roles.join(", ") || "none",
        wayIn(person),
      ]);
      context.print(json ? JSON.stringify(found) : table(columns, rows, context.terminal));
      return exit.done;
    });
  },
});

const columns = ["NAME", "KIND", "ROLES", "SIGNS IN"].map((title) => ({ title, align: "left" as const }));

function wayIn({ disabledAt, hasPassword, kind, identities }: Person): string {
  if (disabledAt !== null) return "shut out";
  if (kind === "agent") return "by tokens";
  const elsewhere = identities.map(({ issuer, subject }) => visible(`${subject} at ${issuer}`));
  return [...(hasPassword ? ["by password"] : []), ...elsewhere].join(", ") || "invited";
}

export const peopleRenameCommand = command({
  name: "people rename",
  summary: "rename an account and free its name",
  examples: [
    {
      line: "dlo people rename ana --to ana-2",
      about: "when the configuration names ana, and another account has that name",
    },
  ],
  details: [
    "Roles, tokens and ways to sign in stay with the account, and its sessions end. The audit log keeps the old name. What was done " +
      "under it still counts as that person's: they can't approve what they requested before.",
    "An account with a password signs in by the new name: tell its owner.",
  ],
  operand,
  flags: { ...ledgerFlags, to: textFlag({ placeholder: "NAME", about: "the new name" }) },

  async run({ operand: id, to, json, ...values }, context) {
    if (to === "") throw new UsageError("missing_value", "`--to` is missing: what is the new name?");
    return withOffice(values, context, async ({ ask }) => {
      const renamed = await ask("people.rename", { id: id ?? "", to });
      context.print(json ? JSON.stringify(renamed) : `${id ?? ""} is ${renamed.id} now. The name ${id ?? ""} is free.`);
      return exit.done;
    });
  },
});

export const peopleJoinCommand = command({
  name: "people join",
  summary: "let a person sign in by one more identity",
  examples: [
    {
      line: "dlo people join ana --issuer https://idp.example --subject 7f31",
      about: "when an account with a password and an identity at the provider are one person",
    },
  ],
  details: [
    "The identity gets the roles of the account. An account that it had before loses the roles that the identity gave, and is shut " +
      "out if there is no other way to sign in to it.",
  ],
  operand,
  flags: {
    ...ledgerFlags,
    issuer: textFlag({ placeholder: "URL", about: "who says who they are, as `people:` of the configuration has it" }),
    subject: textFlag({ placeholder: "ID", about: "who they are there (`sub`)" }),
  },

  async run({ operand: id, issuer, subject, json, ...values }, context) {
    if (issuer === "" || subject === "")
      throw new UsageError("missing_value", "`--issuer` and `--subject` are needed: who are they there?");
    return withOffice(values, context, async ({ ask }) => {
      const joined = await ask("people.join", { id: id ?? "", issuer, subject });
      context.print(json ? JSON.stringify(joined) : `${visible(subject)} at ${visible(issuer)} is ${joined.id} now.`);
      return exit.done;
    });
  },
});
