import { command } from "../command.ts";
import { count } from "../doctor/report.ts";
import { decisionFlags, letterOperand, said } from "./decide.ts";
import { withOffice } from "./ledger-flags.ts";
import { settle, settleFlag, told } from "./sent-for-letters.ts";

const sending = { command: "letters give-back", done: "given back" } as const;
const letter = "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

/** Going back settles nothing: only a release lets those go on that wait behind it. */
function stillDead(blocking: number, first: string): string {
  const whose =
    blocking === 1 ? "1 key still waits for its letter" : `${count(blocking, "key")} still wait for their letters`;
  return `${whose}, dead at the broker. Next: dlo keys release ${first} --reason '…'`;
}

export const giveBackCommand = command({
  name: "letters give-back",
  alias: "give-back",
  summary: "sends letters to the dead-letter queue they were drained from, as they came",
  examples: [
    { line: `dlo letters give-back ${letter} --reason 'only tried it out'`, about: "one letter" },
    {
      line: "dlo letters give-back -q 'queue:orders' --expect-count 41 --reason 'only tried it out'",
      about: "all that are open",
    },
    {
      line: `dlo letters give-back ${letter} --settle sent --reason 'it is in the queue'`,
      about: "after a crash while sending",
    },
  ],
  details: [
    "Only open letters go: what a replay has sent, or somebody has decided about, is not as it was. Each goes once at most, with the " +
      "bytes and headers it came with; drained again, it is a new letter. A queue that this office drains is refused (set its " +
      "`mode: observe` first), and so is a log, in which letters lie still. Where no answer came a letter is in doubt: look for it in " +
      "its queue and say what you found with --settle.",
  ],
  operand: letterOperand,
  flags: { ...decisionFlags, settle: settleFlag },

  run: ({ settle: outcome, ...values }, context) =>
    withOffice(values, context, async (work) => {
      if (outcome !== null) return settle(work, { outcome, done: sending.done }, values, context);
      const result = await work.ask("letters.giveBack", await said(values, context));
      const code = told(result, sending, values.json, context);
      const [first] = result.blocking;
      if (first !== undefined) context.note(stillDead(result.blocking.length, first));
      return code;
    }),
});
