import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { isFinal } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import type { Message } from "../../domain/message.ts";
import { recordAction } from "../../ledger/audit.ts";
import { type CompensationKind, endCompensation } from "../../ledger/compensations.ts";
import { noteReleases } from "../../ledger/key-releases.ts";
import type { ReplayParts } from "../replay/replay-parts.ts";

export type SendingParts = Pick<ReplayParts, "ledger" | "host" | "line">;

/** What became of the message for a letter. */
export type SentOnce =
  | { readonly letter: Uint8Array; readonly outcome: "sent" }
  /** The broker refused it, or it was kept from being sent: the letter is as it was. */
  | { readonly letter: Uint8Array; readonly outcome: "unsent"; readonly why: string }
  /** No answer: the letter stays taken until somebody says what became of it. */
  | { readonly letter: Uint8Array; readonly outcome: "in_doubt"; readonly why: string };

export interface GuardedSend {
  readonly letter: Uint8Array;
  /** Of what the ledger has of this send. */
  readonly id: Uint8Array;
  readonly kind: CompensationKind;
  readonly source: string;
  readonly queue: string;
  readonly reason: string;
  /** Makes durable that its turn has come, and gives the message. Null, or rejecting: nothing must be sent. */
  readonly take: () => Promise<Message | null>;
}

/** Sends a message for a letter, if its turn can be taken, and writes down what became of it, as far as that is known. */
export async function sendOnce(parts: SendingParts, actor: Actor, sending: GuardedSend): Promise<SentOnce> {
  const sent = await trySending(parts, sending);
  const { outcome } = sent;
  if (outcome !== "in_doubt")
    await parts.ledger.database.transaction((transaction) =>
      endSend(parts, transaction, actor, { ...sending, outcome }),
    );
  return sent;
}

async function trySending({ line }: SendingParts, sending: GuardedSend): Promise<SentOnce> {
  const { letter, id, kind, source, queue, take } = sending;
  let isTaken = false;
  try {
    // Connecting may take long, and belongs before the turn is taken: from there on somebody counts the seconds.
    const way = await line(source, id);
    const message = await take();
    if (message === null) return { letter, outcome: "unsent", why: "It was taken back, or all sending was stopped." };
    isTaken = true;
    await way.send(queue, message, { n: 1, intent: 1, back: kind === "give_back" });
    await way.commit();
    return { letter, outcome: "sent" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // A refusal says that the broker has not got it. Any other failure says nothing at all, once it was tried.
    return { letter, outcome: isTaken && !isFinal(error) ? "in_doubt" : "unsent", why };
  }
}

export interface EndedSend extends Pick<GuardedSend, "id" | "kind" | "letter" | "reason"> {
  readonly outcome: "sent" | "unsent";
}

const actions = {
  corrective: { sent: "letters.compensated", unsent: "letters.compensation_failed" },
  give_back: { sent: "letters.given_back", unsent: "letters.give_back_failed" },
} as const satisfies Record<CompensationKind, Record<EndedSend["outcome"], string>>;

/** Writes down what became of it, unless somebody has said so before. */
export async function endSend(
  { ledger, host }: Omit<SendingParts, "line">,
  transaction: Queries,
  actor: Actor,
  { id, kind, letter, outcome, reason }: EndedSend,
): Promise<void> {
  if (!(await endCompensation(ledger, transaction, { id, outcome }))) return;
  // Given back, a letter is still dead at its broker, and its key waits for it there.
  if (kind === "corrective" && outcome === "sent")
    await noteReleases(ledger, transaction, { letters: [letter], because: "compensated" });
  const details = { letters: [showId("letter", letter)], reason };
  const action = actions[kind][outcome];
  await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details });
}
