import type { Actor } from "../../domain/actor.ts";
import { makeId, showId } from "../../domain/ids.ts";
import type { Message } from "../../domain/message.ts";
import { recordAction } from "../../ledger/audit.ts";
import { attemptCompensation, beginCompensations } from "../../ledger/compensations.ts";
import { partFromDelivery } from "../../ledger/letter-keys.ts";
import { type Candidate, readCandidates } from "../../ledger/read-candidates.ts";
import { partFromFailure } from "../../ledger/repeats.ts";
import { requireReason } from "../replay/change-replay.ts";
import { requireSending } from "../replay/stop-sending.ts";
import { type Decidable, undecidable } from "./decide-letters.ts";
import { type ReturningParts, requireBack } from "./require-back.ts";
import { type SendingParts, type SentOnce, sendOnce } from "./send-once.ts";

export type GivingParts = SendingParts & ReturningParts;

export interface GiveBackRequest {
  readonly letters: readonly Uint8Array[];
  readonly reason: string;
  /** A ticket, a link: whatever it can be found by. */
  readonly reference: string | null;
}

/** What somebody has decided about, or a replay has sent, is not as it was when it was drained. */
export const givingBack = { from: ["open"], does: "give them back" } as const satisfies Decidable;

/**
 * Sends letters to the dead-letter queues they were drained from, as they came, each at most once. All of them can go, or none
 * is sent. Then each is taken just before it goes, and is in doubt until its broker has answered: a crash leaves one such
 * letter, and those behind it as they were.
 */
export async function giveBack(
  parts: GivingParts,
  actor: Actor,
  { letters, reason, reference }: GiveBackRequest,
): Promise<readonly SentOnce[]> {
  requireReason(reason, "a decision");
  await requireAll(parts, letters);
  await announce(parts, actor, { letters, reason, reference });
  const outcomes: SentOnce[] = [];
  for await (const candidate of inOrderOfArrival(parts, letters))
    outcomes.push(await giveOne(parts, actor, candidate, reason));
  return outcomes;
}

/** Letters that are read at once: with bodies of 256 KB they are 25 MB. */
const atOnce = 100;

async function* inOrderOfArrival(
  { ledger }: GivingParts,
  letters: readonly Uint8Array[],
): AsyncGenerator<Candidate, void> {
  const sorted = letters.toSorted((a, b) => Buffer.compare(a, b));
  for (let start = 0; start < sorted.length; start += atOnce)
    yield* await readCandidates(ledger, sorted.slice(start, start + atOnce));
}

async function requireAll(parts: GivingParts, letters: readonly Uint8Array[]): Promise<void> {
  let found = 0;
  for await (const candidate of inOrderOfArrival(parts, letters)) {
    if (candidate.state !== "open") continue;
    await requireBack(parts, candidate);
    found += 1;
  }
  if (found !== letters.length) throw undecidable(givingBack, letters.length, found);
}

async function announce(
  { ledger, host }: GivingParts,
  actor: Actor,
  { letters, ...said }: GiveBackRequest,
): Promise<void> {
  await ledger.database.transaction(async (transaction) => {
    await requireSending(ledger, transaction);
    const details = { letters: letters.map((letter) => showId("letter", letter)), ...said };
    const action = "letters.giving_back";
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details });
  });
}

async function giveOne(parts: GivingParts, actor: Actor, candidate: Candidate, reason: string): Promise<SentOnce> {
  const { clock, newId } = parts.host;
  const { id: letter, source, drainedFrom: queue } = candidate;
  const id = makeId(clock.now(), newId());
  const take = () => takeOne(parts, candidate, { id, by: actor.id, reason });
  return sendOnce(parts, actor, { kind: "give_back", letter, id, source, queue, reason, take });
}

interface Taking {
  /** Of this send. */
  readonly id: Uint8Array;
  readonly by: string;
  readonly reason: string;
}

/** Its body is in the ledger already. */
const body = new Uint8Array();

/** In one step: that it goes, and that what comes from its queue from now on may be it. Looked at again: minutes may have passed. */
async function takeOne(parts: GivingParts, candidate: Candidate, { id, by, reason }: Taking): Promise<Message | null> {
  const { ledger } = parts;
  const { id: letter, source, drainedFrom: queue } = candidate;
  const { message, digest } = await requireBack(parts, candidate);
  const begun = { ids: [id], letters: [letter], from: givingBack.from, source, queue, body, by, reason };
  const isTaken = await ledger.database.transaction(async (transaction) => {
    await requireSending(ledger, transaction);
    // Before the letter, as drains take them: the other way round they would wait for each other.
    if (digest !== null) await partFromDelivery(ledger, transaction, { letter, digest });
    await partFromFailure(ledger, transaction, letter);
    const taken = await beginCompensations(ledger, transaction, { kind: "give_back", ...begun });
    if (taken !== 1) throw undecidable(givingBack, 1, taken);
    return attemptCompensation(ledger, transaction, id);
  });
  return isTaken ? message : null;
}
