import { type Command, command } from "../command.ts";
import { count } from "../doctor/report.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag, optional, textFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

const flags = {
  ...ledgerFlags,
  query: { ...textFlag({ placeholder: "QUERY", about: "these letters instead of one" }), short: "q" },
  reason: textFlag({ placeholder: "TEXT", about: "why, for whoever looks later" }),
  reference: textFlag({ placeholder: "TEXT", about: "a ticket, a link, a command: where more is to be found" }),
  "expect-count": optional(
    numberFlag({ about: "how many letters; needed for more than one", default: 1, min: 0, max: 10_000 }),
    "one",
  ),
};

const letter = "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

/** A command that decides about letters without sending them back. */
function decision(
  verb: "drop" | "compensate" | "escalate" | "reopen",
  summary: string,
  done: string,
): Command<typeof flags> {
  return command({
    ...{ name: verb, summary, flags },
    examples: [
      { line: `dlo ${verb} ${letter} --reason 'order was cancelled'`, about: "one letter" },
      { line: `dlo ${verb} -q 'key:o-1001' --expect-count 2 --reason 'order was cancelled'`, about: "all that match" },
    ],
    operand: { placeholder: "LETTER", about: "its id, ltr_…", required: false },
    run: ({ operand, query, reason, reference, json, "expect-count": expectCount, ...values }, context) =>
      withOffice(values, context, async ({ call, actor }) => {
        const { letters } = await call(`letters.${verb}`, actor, {
          ...{ letters: operand === null ? [] : [operand], q: query, reason, expectCount },
          reference: reference === "" ? null : reference,
        });
        context.print(json ? JSON.stringify({ letters }) : `${count(letters, "letter")} ${done}.`);
        return exit.done;
      }),
  });
}

export const dropCommand = decision("drop", "leaves letters be, for good; the ledger keeps them", "dropped");
export const compensateCommand = decision(
  "compensate",
  "notes what was done instead of sending letters back",
  "compensated",
);
export const escalateCommand = decision(
  "escalate",
  "hands letters to somebody else, until they are reopened",
  "escalated",
);
export const reopenCommand = decision("reopen", "takes back such a decision", "open again");
