import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { isFinal, OfficeError } from "../../domain/errors.ts";
import { makeId, showId } from "../../domain/ids.ts";
import { makeMessage } from "../../domain/message.ts";
import { wire } from "../../domain/wire.ts";
import { recordAction } from "../../ledger/audit.ts";
import {
  attemptCompensation,
  beginCompensations,
  endCompensation,
  holdCompensation,
  type OpenCompensation,
} from "../../ledger/compensations.ts";
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
  /** The broker refused it, or it was kept from being sent: the letter is as it was. */
  | { readonly letter: Uint8Array; readonly outcome: "unsent"; readonly why: string }
  /** No answer: the letter stays taken until somebody says what became of it. */
  | { readonly letter: Uint8Array; readonly outcome: "in_doubt"; readonly why: string };

/**
 * Sends a corrective message for each letter, each at most once, and calls a letter compensated when its broker has it. The
 * intent is committed first: two people, a double click or a crash send nothing twice. That its turn has come is committed
 * just before each: with thousands of them, somebody may take the last back, or stop all sending, while the first are sent.
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
    const begun = { letter, id: ids[index] ?? letter };
    const sent = await sendFor(parts, begun, request.message);
    if (sent.outcome !== "in_doubt") await endSent(parts, actor, { ...begun, ...sent, reason: request.reason });
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

interface Begun {
  readonly letter: Uint8Array;
  /** Of the compensation. */
  readonly id: Uint8Array;
}

async function sendFor(
  { ledger, line }: CompensatingParts,
  { letter, id }: Begun,
  { source, queue, body, headers }: CorrectiveMessage,
): Promise<Compensated> {
  const message = makeMessage({ body, headers: { ...headers, [wire.compensates]: showId("letter", letter) } });
  let isAttempted = false;
  try {
    // Connecting may take long, and belongs before the turn is taken: from there on somebody counts the seconds.
    const way = await line(source, id);
    isAttempted = await attemptCompensation(ledger, ledger.database, id);
    if (!isAttempted) return { letter, outcome: "unsent", why: "It was taken back, or all sending was stopped." };
    await way.send(queue, message, { n: 1, intent: 1 });
    await way.commit();
    return { letter, outcome: "sent" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // A refusal says that the broker has not got it. Any other failure says nothing at all, once it was tried.
    return { letter, outcome: isAttempted && !isFinal(error) ? "in_doubt" : "unsent", why };
  }
}

interface Ended extends Begun {
  readonly outcome: "sent" | "unsent";
  readonly reason: string;
}

async function endSent({ ledger, host }: CompensatingParts, actor: Actor, ended: Ended): Promise<void> {
  await ledger.database.transaction((transaction) => end({ ledger, host }, transaction, actor, ended));
}

async function end(
  { ledger, host }: Pick<CompensatingParts, "ledger" | "host">,
  transaction: Queries,
  actor: Actor,
  { id, letter, outcome, reason }: Ended,
): Promise<void> {
  if (!(await endCompensation(ledger, transaction, { id, outcome }))) return;
  const action = outcome === "sent" ? "letters.compensated" : "letters.compensation_failed";
  const details = { letters: [showId("letter", letter)], reason };
  await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details });
}

/** Whoever was sending may have been asleep: for so long nobody says what became of it, in milliseconds. */
const mayWakeMs = 20_000;

export interface CompensationWord {
  readonly letter: Uint8Array;
  /** What somebody found at the destination. */
  readonly outcome: "sent" | "unsent";
  readonly reason: string;
}

/** Says what became of a compensation that nobody answered for, or takes one back that was not yet sent. */
export async function settleCompensation(
  parts: CompensatingParts,
  actor: Actor,
  { letter, outcome, reason }: CompensationWord,
): Promise<void> {
  requireReason(reason, "settling");
  const { ledger } = parts;
  await ledger.database.transaction(async (transaction) => {
    const open = await holdCompensation(ledger, transaction, letter);
    if (open === null)
      throw new OfficeError("SEND_NOT_IN_DOUBT", `No compensation of ${showId("letter", letter)} is in doubt.`);
    requireSettleable(open, outcome);
    await end(parts, transaction, actor, { id: open.id, letter, outcome, reason });
  });
}

function requireSettleable({ attemptedForMs }: OpenCompensation, outcome: CompensationWord["outcome"]): void {
  if (attemptedForMs === null) {
    if (outcome === "unsent") return;
    const text = "Nobody has tried to send it yet. Take it back as unsent, and note what was done instead.";
    throw new OfficeError("SEND_NOT_IN_DOUBT", text);
  }
  if (attemptedForMs >= mayWakeMs) return;
  const leftS = Math.ceil((mayWakeMs - attemptedForMs) / 1_000);
  const text = `Whoever is sending it may still do so. Say what became of it in ${leftS} s.`;
  throw new OfficeError("SENDER_MAY_WAKE", text, { details: { retryAfterS: leftS } });
}
