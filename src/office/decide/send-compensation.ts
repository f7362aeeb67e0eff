import type { Actor } from "../../domain/actor.ts";
import { isFinal, OfficeError } from "../../domain/errors.ts";
import { makeId, showId } from "../../domain/ids.ts";
import { makeMessage } from "../../domain/message.ts";
import { wire } from "../../domain/wire.ts";
import { recordAction } from "../../ledger/audit.ts";
import { beginCompensations, doubtfulForMs, endCompensations } from "../../ledger/compensations.ts";
import { requireReason } from "../replay/change-replay.ts";
import type { ReplayParts } from "../replay/replay-parts.ts";
import { requireSending } from "../replay/stop-sending.ts";
import { letterDecisions, undecidable } from "./decide-letters.ts";

export type CompensatingParts = Pick<ReplayParts, "ledger" | "host" | "line">;

export interface CorrectiveMessage {
  readonly source: string;
  readonly queue: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface CompensationRequest {
  readonly letters: readonly Uint8Array[];
  readonly reason: string;
  /** A ticket, a link: whatever it can be found by. */
  readonly reference: string | null;
  readonly message: CorrectiveMessage;
}

/** What became of the message for a letter. */
export type Compensated =
  | { readonly letter: Uint8Array; readonly outcome: "sent" }
  /** The broker refused it: the letter is as it was. */
  | { readonly letter: Uint8Array; readonly outcome: "unsent"; readonly why: string }
  /** No answer: the letter stays taken until somebody says what became of it. */
  | { readonly letter: Uint8Array; readonly outcome: "in_doubt"; readonly why: string };

/**
 * Sends a corrective message for each letter, each at most once, and calls a letter compensated when its broker has it. The
 * intent is committed first: two people, a double click or a crash send nothing twice.
 */
export async function sendCompensation(
  parts: CompensatingParts,
  actor: Actor,
  request: CompensationRequest,
): Promise<readonly Compensated[]> {
  requireReason(request.reason, "a decision");
  const ids = await begin(parts, actor, request);
  const outcomes: Compensated[] = [];
  for (const [index, letter] of request.letters.entries()) {
    const sent = await sendFor(parts, { letter, id: ids[index] ?? letter }, request.message);
    if (sent.outcome !== "in_doubt") await end(parts, actor, sent, request.reason);
    outcomes.push(sent);
  }
  return outcomes;
}

async function begin(
  { ledger, host }: CompensatingParts,
  actor: Actor,
  { letters, reason, reference, message }: CompensationRequest,
): Promise<readonly Uint8Array[]> {
  const now = host.clock.now();
  const { from } = letterDecisions.compensate;
  const { source, queue, body } = message;
  const ids = letters.map(() => makeId(now, host.newId()));
  await ledger.database.transaction(async (transaction) => {
    await requireSending(ledger, transaction);
    const begun = { ids, letters, from, source, queue, body, by: actor.id, reason };
    const taken = await beginCompensations(ledger, transaction, begun);
    if (taken !== letters.length) throw undecidable("compensate", letters.length, taken);
    const shown = letters.map((letter) => showId("letter", letter));
    const details = { letters: shown, source, queue, reason, reference };
    await recordAction(ledger, transaction, { at: now, actor, action: "letters.compensating", details });
  });
  return ids;
}

async function sendFor(
  { line }: CompensatingParts,
  { letter, id }: { readonly letter: Uint8Array; readonly id: Uint8Array },
  { source, queue, body, headers }: CorrectiveMessage,
): Promise<Compensated> {
  const message = makeMessage({ body, headers: { ...headers, [wire.compensates]: showId("letter", letter) } });
  try {
    const way = await line(source, id);
    await way.send(queue, message, { n: 1, intent: 1 });
    await way.commit();
    return { letter, outcome: "sent" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // A refusal says that the broker has not got it. Any other failure says nothing at all.
    return { letter, outcome: isFinal(error) ? "unsent" : "in_doubt", why };
  }
}

async function end(
  { ledger, host }: CompensatingParts,
  actor: Actor,
  { letter, outcome }: { readonly letter: Uint8Array; readonly outcome: "sent" | "unsent" },
  reason: string,
): Promise<boolean> {
  return ledger.database.transaction(async (transaction) => {
    const ended = await endCompensations(ledger, transaction, { letters: [letter], outcome });
    if (ended.length === 0) return false;
    const action = outcome === "sent" ? "letters.compensated" : "letters.compensation_failed";
    const details = { letters: [showId("letter", letter)], reason };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details });
    return true;
  });
}

/** Whoever was sending may have been asleep: for so long nobody says what became of it, in milliseconds. */
const mayWakeMs = 20_000;

export interface CompensationWord {
  readonly letter: Uint8Array;
  /** What somebody found at the destination. */
  readonly outcome: "sent" | "unsent";
  readonly reason: string;
}

/** Says what became of a compensation that nobody answered for. */
export async function settleCompensation(
  parts: CompensatingParts,
  actor: Actor,
  { letter, outcome, reason }: CompensationWord,
): Promise<void> {
  requireReason(reason, "settling");
  const { ledger } = parts;
  const forMs = await doubtfulForMs(ledger, ledger.database, letter);
  if (forMs !== null && forMs < mayWakeMs) {
    const leftS = Math.ceil((mayWakeMs - forMs) / 1_000);
    const text = `Whoever is sending it may still do so. Say what became of it in ${leftS} s.`;
    throw new OfficeError("SENDER_MAY_WAKE", text, { details: { retryAfterS: leftS } });
  }
  if (forMs !== null && (await end(parts, actor, { letter, outcome }, reason))) return;
  throw new OfficeError("SEND_NOT_IN_DOUBT", `No compensation of ${showId("letter", letter)} is in doubt.`);
}
