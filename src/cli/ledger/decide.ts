import { type Command, type Context, command, type OperandValue } from "../command.ts";
import { count } from "../doctor/report.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag, optional, queryFlag, textFlag, type ValuesOf } from "../flags.ts";
import { idsOf } from "./ids-of.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";
import { confirmUnknownFlag } from "./search-warnings.ts";

/** Which letters, and why. */
export const selectionFlags = {
  ...ledgerFlags,
  query: queryFlag("these letters instead of one"),
  reason: textFlag({ placeholder: "TEXT", about: "why, for whoever looks later" }),
  "expect-count": optional(
    numberFlag({ about: "how many letters; needed for more than one", default: 1, min: 0, max: 10_000 }),
    "one",
  ),
  "confirm-unknown": confirmUnknownFlag,
};

export const decisionFlags = {
  ...selectionFlags,
  reference: textFlag({ placeholder: "TEXT", about: "a ticket, a link, a command: where more is to be found" }),
};

const letter = "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

export const letterOperand = {
  ...{ placeholder: "LETTER...|-", required: false, most: 1_000 },
  about: "ids, ltr_…; - reads them from stdin",
} as const;

/** What every decision says of its letters. */
export async function said(values: Values, { input }: Pick<Context, "input">) {
  const { reason, reference } = values;
  return { ...(await which(values, { input })), reason, reference: reference === "" ? null : reference };
}

type Which = OperandValue & Pick<ValuesOf<typeof selectionFlags>, "query" | "expect-count" | "confirm-unknown">;

/** Which letters are meant. */
export async function which(
  { operand, query, "expect-count": expectCount, "confirm-unknown": confirmed }: Which,
  { input }: Pick<Context, "input">,
) {
  return { letters: await idsOf(operand, input), q: query, expectCount, confirmUnknown: [...confirmed] };
}

type Values = ValuesOf<typeof decisionFlags> & OperandValue;

function examples(verb: string): Command["examples"] {
  return [
    { line: `dlo letters ${verb} ${letter} --reason 'order was cancelled'`, about: "one letter" },
    {
      line: `dlo letters ${verb} -q 'key:o-1001' --expect-count 2 --reason 'order was cancelled'`,
      about: "all that match",
    },
  ];
}

/** A command that decides about letters and does nothing else. */
function decision(verb: "drop" | "reopen", summary: string, done: string): Command<typeof decisionFlags> {
  return command({
    ...{
      name: `letters ${verb}`,
      alias: verb,
      summary,
      flags: decisionFlags,
      operand: letterOperand,
      examples: examples(verb),
    },
    run: (values, context) =>
      withOffice(values, context, async ({ ask }) => {
        const { letters, released } = await ask(`letters.${verb}`, await said(values, context));
        context.print(values.json ? JSON.stringify({ letters, released }) : `${count(letters, "letter")} ${done}.`);
        if (released > 0) {
          context.note(`${count(released, "place")} in the order of a key released: the messages behind run now.`);
        }
        return exit.done;
      }),
  });
}

export const dropCommand = decision("drop", "leaves letters be, for good; the ledger keeps them", "dropped");
export const reopenCommand = decision("reopen", "takes back such a decision", "open again");

export const escalateCommand = command({
  name: "letters escalate",
  alias: "escalate",
  summary: "hands letters to somebody else, until they are reopened",
  examples: [
    ...examples("escalate"),
    {
      line: `dlo letters escalate ${letter} --notify tickets --reason 'accounting decides'`,
      about: "opens a ticket by webhook",
    },
  ],
  details: [
    "A notifier of kind webhook is told first, signed; a letter is escalated when it said yes. Told again after a crash, it is " +
      "told under the same webhook-id.",
  ],
  operand: letterOperand,
  flags: {
    ...decisionFlags,
    notify: textFlag({ placeholder: "NAME", about: "a notifier of the configuration, of kind webhook" }),
  },

  run: (values, context) =>
    withOffice(values, context, async ({ ask }) => {
      const notify = values.notify === "" ? null : values.notify;
      const { letters } = await ask("letters.escalate", { ...(await said(values, context)), notify });
      context.print(values.json ? JSON.stringify({ letters }) : `${count(letters, "letter")} escalated.`);
      return exit.done;
    }),
});
