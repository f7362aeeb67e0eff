import { categories, sideEffects } from "../../domain/classification.ts";
import { showCount } from "../../domain/show-count.ts";
import { type Command, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { choiceFlag, numberFlag, optional, textFlag } from "../flags.ts";
import { letterOperand, selectionFlags, which } from "./decide.ts";
import { type LedgerValues, ledgerFlags, withOffice } from "./ledger-flags.ts";

const letter = "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";
const group = "grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

/** `--as` says what letters are; who says so has another name here. */
const saidFlags = {
  as: optional(choiceFlag({ about: "what they are", of: categories, default: "unknown" }), "needed"),
  "side-effect": optional(
    choiceFlag({
      ...{ about: "whether an attempt may have taken effect outside", of: sideEffects, default: "uncertain" },
    }),
    "as it was judged",
  ),
  by: textFlag({ placeholder: "NAME", about: "without a server: who you are, for the audit log; else your user name" }),
};

const details: Command["details"] = [
  "Only what waits for a decision: letters that are open, or that came back. The new word opens the protocol of that category " +
    "and nothing more: a plan judges each letter as ever. What it was on arrival, and all it was called since, is kept; rules of a " +
    "policy leave it alone from now on. Classify it back to take it back.",
];

interface Said {
  readonly as: (typeof categories)[number] | null;
  readonly "side-effect": (typeof sideEffects)[number] | null;
}

function saidIn({ as: category, "side-effect": sideEffect }: Said) {
  if (category !== null) return { category, sideEffect };
  const hint = `One of ${categories.join(", ")}.`;
  throw new UsageError("missing_value", "`--as` is missing: what are they?", hint);
}

/** The flags of an office, where `--as` has another meaning. */
function whoSays<Values extends Omit<LedgerValues, "as">>(values: Values & { readonly by: string }) {
  return { ...values, as: values.by };
}

export const lettersClassifyCommand = command({
  name: "letters classify",
  summary: "says what letters are, in your word; what they were called before is kept",
  examples: [
    { line: `dlo letters classify ${letter} --as transient --reason 'the proxy was restarted'`, about: "one letter" },
    {
      line: "dlo letters classify -q 'queue:emails category:unknown' --as poison --expect-count 12 --reason 'MAIL-7'",
      about: "all that match",
    },
  ],
  details,
  operand: letterOperand,
  flags: { ...selectionFlags, ...saidFlags },

  run: (values, context) => {
    const { reason, json } = values;
    const said = saidIn(values);
    return withOffice(whoSays(values), context, async ({ ask }) => {
      const { letters } = await ask("letters.classify", { ...(await which(values, context)), ...said, reason });
      const text = `${showCount(letters, "letter is", "letters are")} ${said.category} now, in your word.`;
      context.print(json ? JSON.stringify({ letters }) : text);
      return exit.done;
    });
  },
});

export const groupsClassifyCommand = command({
  name: "groups classify",
  summary: "says what the open letters of a group are, in your word",
  examples: [
    {
      line: `dlo groups classify ${group} --as transient --reason 'the proxy was restarted'`,
      about: "all that are open now",
    },
  ],
  details: [
    ...details,
    "Letters that come later are judged by their evidence: nobody has looked at them. To have them classified too, write a rule; " +
      "`dlo triage suggest` proposes some, and `dlo policy diff` shows what one would move.",
  ],
  operand: { placeholder: "GROUP", about: "the group's id: grp_…", required: true },
  flags: {
    ...ledgerFlags,
    reason: selectionFlags.reason,
    "expect-count": optional(
      numberFlag({ about: "how many open letters it has", default: 1, min: 0, max: 1_000_000_000 }),
      "however many",
    ),
    ...saidFlags,
  },

  run: (values, context) => {
    const { operand, reason, "expect-count": expectCount, json } = values;
    const said = saidIn(values);
    return withOffice(whoSays(values), context, async ({ ask }) => {
      const done = await ask("groups.classify", { id: operand ?? "", ...said, reason, expectCount });
      const count = showCount(done.letters, "letter", "letters");
      context.print(json ? JSON.stringify(done) : `${count} of ${done.group} classified as ${said.category}.`);
      if (done.letters === 0) context.note("None of its letters is open that is not called so already.");
      return done.letters === 0 ? exit.notFound : exit.done;
    });
  },
});
