import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import type { LetterState } from "../../domain/letter.ts";
import { showPart } from "../../domain/show-count.ts";
import { recordAction } from "../../ledger/audit.ts";
import { countGivenBack } from "../../ledger/compensations.ts";
import { noteReleases, type ReleaseCause, withdrawReleases } from "../../ledger/key-releases.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { moveLetters } from "../../ledger/move-letters.ts";
import type { ReplayParts } from "../replay/replay-parts.ts";

export type DecidingParts = Pick<ReplayParts, "ledger" | "host">;

/** What may become of letters without sending them back. */
export const letterDecisions = {
  /** Nobody needs it any more. The ledger keeps it as long as any other. */
  drop: { from: ["open", "returned", "escalated"], to: "dropped", action: "letters.dropped", does: "drop them" },
  /** Something else was done that makes up for it. */
  compensate: {
    ...{ from: ["open", "returned", "escalated"], to: "compensated", action: "letters.compensated" },
    does: "compensate them",
  },
  /** Somebody else decides: a ticket, an owner. */
  escalate: { from: ["open", "returned"], to: "escalated", action: "letters.escalated", does: "escalate them" },
  /** Takes such a decision back. What was sent and worked stays resolved. */
  reopen: {
    ...{ from: ["dropped", "compensated", "escalated"], to: "open", action: "letters.reopened" },
    does: "reopen them",
  },
} as const satisfies Record<string, Decision>;

/** Which letters something may be done with, and how that is called. */
export interface Decidable {
  readonly from: readonly LetterState[];
  readonly does: string;
}

interface Decision extends Decidable {
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
    if (name === "reopen") await requireHere(ledger, transaction, letters);
    const moved = await moveLetters(ledger, transaction, { ids: letters, from, to });
    if (moved.length !== letters.length) throw undecidable(letterDecisions[name], letters.length, moved.length);
    await decideKeys(ledger, transaction, name, moved);
    const told = { letters: moved.map((id) => showId("letter", id)), reason, reference };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details: told });
  });
}

/** The keys of letters that nobody waits for any more go on without them. A letter that is handed on is still waited for. */
const lettingGo: Partial<Record<DecisionName, ReleaseCause>> = { drop: "dropped", compensate: "compensated" };

async function decideKeys(
  ledger: Ledger,
  transaction: Queries,
  name: DecisionName,
  letters: readonly Uint8Array[],
): Promise<void> {
  const because = lettingGo[name];
  if (because !== undefined) await noteReleases(ledger, transaction, { letters, because });
  if (name === "reopen") await withdrawReleases(ledger, transaction, letters);
}

/** Reopened, a letter could be replayed here while its queue has it too. `move_letters` leaves it alone; this says why. */
async function requireHere(ledger: Ledger, transaction: Queries, letters: readonly Uint8Array[]): Promise<void> {
  const givenBack = await countGivenBack(ledger, transaction, letters);
  if (givenBack === 0) return;
  const text =
    `${showPart(givenBack, letters.length, "letter")} back in the dead-letter queue. Nothing was changed. ` +
    "Drain that queue with `dlo drain`: what is there comes as new letters.";
  throw new OfficeError("LETTER_DECIDED", text, { details: { asked: letters.length, givenBack } });
}

/** Somebody else has some of them, or has decided about them. */
export function undecidable({ from, does }: Decidable, asked: number, found: number): OfficeError {
  const states = from.map((state) => state.replace("_", " ")).join(" or ");
  const text = `Only ${showPart(found, asked, "letter")} ${states}, as they must be to ${does}. Nothing was changed.`;
  return new OfficeError("LETTER_DECIDED", text, { details: { asked, found } });
}
