import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { makeId, showId } from "../../domain/ids.ts";
import { type Message, makeMessage } from "../../domain/message.ts";
import { wire } from "../../domain/wire.ts";
import { recordAction } from "../../ledger/audit.ts";
import {
  attemptCompensation,
  beginCompensations,
  holdCompensation,
  type OpenCompensation,
} from "../../ledger/compensations.ts";
import { requireReason } from "../replay/change-replay.ts";
import type { ReplayParts } from "../replay/replay-parts.ts";
import { requireSending } from "../replay/stop-sending.ts";
import { letterDecisions, undecidable } from "./decide-letters.ts";
import { endSend, type SendingParts, type SentOnce, sendOnce } from "./send-once.ts";

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

export type CompensatingParts = SendingParts & Pick<ReplayParts, "outlooks">;

/**
 * Sends a corrective message for each letter, each at most once, and calls a letter compensated when its broker has it. The
 * intent is committed first: two people, a double click or a crash send nothing twice. That its turn has come is committed
 * just before each: with thousands of them, somebody may take the last back, or stop all sending, while the first are sent.
 */
export async function sendCompensation(
  parts: CompensatingParts,
  actor: Actor,
  request: CompensationRequest,
): Promise<readonly SentOnce[]> {
  requireReason(request.reason, "a decision");
  const { ledger } = parts;
  const { reason, message } = request;
  const to = { kind: "corrective", source: message.source, queue: message.queue, reason } as const;
  await requireMessages(parts, message);
  const ids = await begin(parts, actor, request);
  const outcomes: SentOnce[] = [];
  for (const [index, letter] of request.letters.entries()) {
    const id = ids[index] ?? letter;
    const take = async () =>
      (await attemptCompensation(ledger, ledger.database, id)) ? messageFor(letter, message) : null;
    outcomes.push(await sendOnce(parts, actor, { ...to, letter, id, take }));
  }
  return outcomes;
}

/** Where letters are put back in their place, nothing else can be sent. */
async function requireMessages({ outlooks }: CompensatingParts, { source }: CorrectiveMessage): Promise<void> {
  if ((await outlooks(source, [])) === null) return;
  const text =
    `\`${source}\` is a job framework: its failed jobs are put back as they are, and no message can be sent to it. ` +
    "Send a job by the framework itself, and note that here: compensate the letter without a message.";
  throw new OfficeError("INVALID_OPTION", text, { details: { source } });
}

function messageFor(letter: Uint8Array, { body, headers }: CorrectiveMessage): Message {
  return makeMessage({ body, headers: { ...headers, [wire.compensates]: showId("letter", letter) } });
}

async function begin(
  { ledger, host }: SendingParts,
  actor: Actor,
  { letters, reason, reference, message }: CompensationRequest,
): Promise<readonly Uint8Array[]> {
  const now = host.clock.now();
  const { compensate } = letterDecisions;
  const { source, queue, body } = message;
  const ids = letters.map(() => makeId(now, host.newId()));
  await ledger.database.transaction(async (transaction) => {
    await requireSending(ledger, transaction);
    const begun = { ids, letters, from: compensate.from, source, queue, body, by: actor.id, reason };
    const taken = await beginCompensations(ledger, transaction, { kind: "corrective", ...begun });
    if (taken !== letters.length) throw undecidable(compensate, letters.length, taken);
    const shown = letters.map((letter) => showId("letter", letter));
    const details = { letters: shown, source, queue, reason, reference };
    await recordAction(ledger, transaction, { at: now, actor, action: "letters.compensating", details });
  });
  return ids;
}

/** Whoever was sending may have been asleep: for so long nobody says what became of it, in milliseconds. */
const mayWakeMs = 20_000;

export interface CompensationWord {
  readonly letter: Uint8Array;
  /** What somebody found at the destination. */
  readonly outcome: "sent" | "unsent";
  readonly reason: string;
}

/**
 * Says what became of a compensation, or of a letter that was given back, which nobody answered for; or takes one back that was
 * not yet sent.
 */
export async function settleCompensation(
  parts: SendingParts,
  actor: Actor,
  { letter, outcome, reason }: CompensationWord,
): Promise<void> {
  requireReason(reason, "settling");
  const { ledger } = parts;
  await ledger.database.transaction(async (transaction) => {
    const open = await holdCompensation(ledger, transaction, letter);
    if (open === null)
      throw new OfficeError("SEND_NOT_IN_DOUBT", `Nothing that was sent for ${showId("letter", letter)} is in doubt.`);
    requireSettleable(open, outcome);
    await endSend(parts, transaction, actor, { id: open.id, kind: open.kind, letter, outcome, reason });
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
