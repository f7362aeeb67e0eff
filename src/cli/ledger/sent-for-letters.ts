import type { OutputOf } from "../../http/client.ts";
import type { Context, OperandValue } from "../command.ts";
import { count } from "../doctor/report.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { choiceFlag, optional } from "../flags.ts";
import { visible } from "../terminal/text.ts";
import { idsOf } from "./ids-of.ts";
import type { AtWork } from "./ledger-flags.ts";

/** For commands that send something for letters, and may not hear what became of it. */
export const settleFlag = optional(
  choiceFlag({ about: "what became of one that nobody answered for", of: ["sent", "unsent"], default: "sent" }),
  "none",
);

/** How a command calls itself and what it did. */
export interface Sending {
  readonly command: string;
  readonly done: string;
}

interface Settling extends OperandValue {
  readonly reason: string;
  readonly json: boolean;
}

export async function settle(
  { ask }: AtWork,
  { outcome: found, done }: { readonly outcome: "sent" | "unsent"; readonly done: string },
  { operand, reason, json }: Settling,
  context: Context,
): Promise<number> {
  const [id = "", ...others] = await idsOf(operand, context.input);
  if (others.length > 0)
    throw new UsageError("unexpected_value", "`--settle` takes one letter: what became of each is found by itself.");
  const { outcome } = await ask("letters.settleCompensation", { id, outcome: found, reason });
  const said = outcome === "sent" ? `1 letter ${done}.` : "The letter is as it was.";
  context.print(json ? JSON.stringify({ outcome }) : said);
  return exit.done;
}

type Result = OutputOf<"letters.compensate">;

/** What became of each, on the way that scripts and people read it. */
export function told(result: Result, { command, done }: Sending, json: boolean, context: Context): number {
  const { letters, unsent, inDoubt } = result;
  context.print(json ? JSON.stringify(result) : `${count(letters, "letter")} ${done}.`);
  for (const { letter: id, why } of unsent) context.note(`${id} is as it was: ${visible(why)}`);
  for (const { letter: id, why } of inDoubt)
    context.note(
      `${id} is in doubt: ${visible(why)} Look for it there, then \`dlo ${command} ${id} --settle sent|unsent\`.`,
    );
  return unsent.length + inDoubt.length === 0 ? exit.done : exit.failed;
}
