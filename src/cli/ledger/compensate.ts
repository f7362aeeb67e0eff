import { command } from "../command.ts";
import { UsageError } from "../failure.ts";
import { textFlag } from "../flags.ts";
import { decisionFlags, letterOperand, said } from "./decide.ts";
import { withOffice } from "./ledger-flags.ts";
import { settle, settleFlag, told } from "./sent-for-letters.ts";

const sending = { command: "letters compensate", done: "compensated" } as const;
const letter = "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

export const compensateCommand = command({
  name: "letters compensate",
  alias: "compensate",
  summary: "sends a message that makes up for letters, or notes what was done instead of sending them back",
  examples: [
    {
      line: `dlo letters compensate ${letter} --to shop/refunds --body refund.json --reason 'charged twice'`,
      about: "sends it",
    },
    {
      line: `dlo letters compensate ${letter} --reference OPS-7 --reason 'refunded by hand'`,
      about: "it was done elsewhere",
    },
    {
      line: `dlo letters compensate ${letter} --settle sent --reason 'seen in its log'`,
      about: "after a crash while sending",
    },
  ],
  details: [
    "The message is written down before it is sent, and the letter is taken meanwhile: two people, a double click or a crash send " +
      "it once at most. A letter is compensated when its broker has the message. Where no answer came, look for it there and say what " +
      "you found with --settle.",
  ],
  operand: letterOperand,
  flags: {
    ...decisionFlags,
    to: textFlag({ placeholder: "SOURCE/QUEUE", about: "where a corrective message is sent" }),
    body: textFlag({ placeholder: "FILE", about: "that message; - for what is piped in" }),
    settle: settleFlag,
  },

  async run({ to, body, settle: outcome, ...values }, context) {
    if ((to === "") !== (body === "")) throw new UsageError("missing_value", "A message needs both: --to and --body.");
    const message = to === "" ? null : { ...placeOf(to), bodyBase64: base64(await context.bytes(body)) };
    return withOffice(values, context, async (work) => {
      if (outcome !== null) return settle(work, { outcome, done: sending.done }, values, context);
      const result = await work.ask("letters.compensate", { ...(await said(values, context)), message });
      return told(result, sending, values.json, context);
    });
  },
});

function placeOf(to: string): { readonly source: string; readonly queue: string } {
  const at = to.indexOf("/");
  if (at < 1 || at === to.length - 1)
    throw new UsageError("unexpected_value", `\`${to}\` names no place: write --to SOURCE/QUEUE.`);
  return { source: to.slice(0, at), queue: to.slice(at + 1) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
