import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import type { LetterState } from "../../domain/letter.ts";
import { recordAction } from "../../ledger/audit.ts";
import { moveLetters } from "../../ledger/move-letters.ts";
import type { ReplayParts } from "../replay/replay-parts.ts";

export type DecidingParts = Pick<ReplayParts, "ledger" | "host">;

/** What may become of letters without sending them back. */
export const letterDecisions = {
  /** Nobody needs it any more. The ledger keeps it as long as any other. */
  drop: { from: ["open", "returned", "escalated"], to: "dropped", action: "letters.dropped" },
  /** Something else was done that makes up for it. */
  compensate: { from: ["open", "returned", "escalated"], to: "compensated", action: "letters.compensated" },
  /** Somebody else decides: a ticket, an owner. */
  escalate: { from: ["open", "returned"], to: "escalated", action: "letters.escalated" },
  /** Takes such a decision back. What was sent and worked stays resolved. */
  reopen: { from: ["dropped", "compensated", "escalated"], to: "open", action: "letters.reopened" },
} as const satisfies Record<string, Decision>;

interface Decision {
  readonly from: readonly LetterState[];
  readonly to: LetterState;
  readonly action: string;
}

export type DecisionName = keyof typeof letterDecisions;

export interface DecisionRequest {
  readonly letters: readonly Uint8Array[];
  /** In the person's own words. */
  readonly reason: string;
  /** A ticket, a link, the command of the compensating action: whatever it can be found by. */
  readonly reference: string | null;
}

/** Decides about all of these letters, or none: one that somebody else has meanwhile decided about refuses the rest. */
export async function decideLetters(
  { ledger, host }: DecidingParts,
  actor: Actor,
  name: DecisionName,
  { letters, reason, reference }: DecisionRequest,
): Promise<void> {
  if (reason.trim() === "") {
    throw new OfficeError("INVALID_OPTION", "Say why: `reason` is kept with the decision for whoever looks later.");
  }
  const { from, to, action } = letterDecisions[name];
  await ledger.database.transaction(async (transaction) => {
    const moved = await moveLetters(ledger, transaction, { ids: letters, from, to });
    if (moved.length !== letters.length) throw undecidable(name, letters.length, moved.length);
    const told = { letters: moved.map((id) => showId("letter", id)), reason, reference };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details: told });
  });
}

/** Somebody else has some of them, or has decided about them. */
export function undecidable(name: DecisionName, asked: number, found: number): OfficeError {
  const from: readonly LetterState[] = letterDecisions[name].from;
  const states = from.map((state) => state.replace("_", " ")).join(" or ");
  const text = `Only ${found} of these ${asked} letters are ${states}, as they must be to ${name} them. Nothing was changed.`;
  return new OfficeError("LETTER_DECIDED", text, { details: { asked, found } });
}
