import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { columnsOf, table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showShare } from "../terminal/units.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

export const lettersHistoryCommand = command({
  name: "letters history",
  summary: "what happened to one letter, in order: failures, what it was taken for, replays, edits",
  examples: [
    { line: "dlo letters history ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "from the first failure to this moment" },
  ],
  operand: { placeholder: "LETTER", about: "its id, ltr_…", required: true },
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const letter = await ask("letters.get", { id: operand ?? "" });
      const { edits } = await ask("edits.list", { id: letter.id });
      const items = historyOf(letter, edits);
      const rows = items.map(({ at, event, what }) => [context.when(at, "utc"), event, visible(what)]);
      if (json) context.print(JSON.stringify({ id: letter.id, state: letter.state, items }));
      else context.print(table(columnsOf(["AT", "EVENT", "WHAT"]), rows, context.terminal));
      context.note(`It is ${letter.state} now.`);
      return exit.done;
    });
  },
});

type Letter = Pick<
  OutputOf<"letters.get">,
  | ("firstFailedAt" | "failedAt" | "attempts" | "consumer" | "arrivedAt" | "drainedFrom")
  | ("classifications" | "history" | "decision")
>;
type Edit = Pick<OutputOf<"edits.list">["edits"][number], "at" | "by" | "reason" | "revision">;

export interface PastEvent {
  readonly at: string;
  readonly event: string;
  readonly what: string;
}

/** By time; what happened in one moment in the order in which it must have. */
export function historyOf(letter: Letter, edits: readonly Edit[]): readonly PastEvent[] {
  const events = [
    ...failures(letter),
    { at: letter.arrivedAt, event: "arrived", what: `from ${letter.drainedFrom}` },
    ...letter.history.map(({ at, kind, replay, errorClass, errorMessage }) => {
      const error = [errorClass, errorMessage].filter((part) => part !== null).join(": ");
      return { at, event: kind, what: [replay === null ? "" : `by ${replay}`, error].filter(Boolean).join(" · ") };
    }),
    ...letter.classifications.map(({ at, category, confidence, rule, why, by }) => {
      const who = by === null ? rule : `${rule}, by ${by}`;
      return { at, event: "classified", what: `${category}, ${showShare(confidence)} sure (${who}). ${why}` };
    }),
    ...decided(letter),
    ...edits.map(({ at, by, reason, revision }) => ({
      at,
      event: "edited",
      what: `revision ${revision} by ${by}: ${reason}`,
    })),
  ];
  return events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function decided({ decision }: Letter): readonly PastEvent[] {
  if (decision === null) return [];
  const { at, by, action, reason, reference } = decision;
  const words = [reason, reference].filter((part) => part !== null).join(" · ");
  return [{ at, event: inWords(action), what: `by ${by}${words === "" ? "" : `: ${words}`}` }];
}

/** `letters.given_back`: given back. */
function inWords(action: string): string {
  return action.replace("letters.", "").replaceAll("_", " ");
}

function failures({ firstFailedAt, failedAt, attempts, consumer }: Letter): readonly PastEvent[] {
  const times = attempts === null ? "" : `attempt ${attempts}`;
  const where = consumer === null ? "" : `at ${consumer}`;
  const last = { at: failedAt, event: "failed", what: [times, where].filter(Boolean).join(" ") };
  const isTwice = firstFailedAt !== null && firstFailedAt !== failedAt;
  return isTwice ? [{ at: firstFailedAt, event: "failed", what: "the first time" }, last] : [last];
}
