import { isFinal, isOfficeError } from "../../domain/errors.ts";
import { hexOf, showId } from "../../domain/ids.ts";
import { showSend } from "../../domain/send-mark.ts";
import { keepPatched } from "../../ledger/edits.ts";
import {
  intendAgain,
  intendItems,
  type Lead,
  noteDoubt,
  noteSent,
  noteUnsent,
  type SendNote,
} from "../../ledger/lead-replay.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { ItemToSend } from "../../ledger/replay-items.ts";
import { driftItems } from "../../ledger/replay-moves.ts";
import { noteAbsent } from "../../ledger/settle-doubt.ts";
import type { SendLine } from "../../sources/send-line.ts";
import type { ExaminedLetter } from "./examine-letters.ts";
import { objectionTo } from "./objection.ts";
import { outgoingMessage } from "./outgoing-message.ts";
import type { ReasonCode } from "./reasons.ts";
import type { ReplayParts } from "./replay-parts.ts";
import { askLine, isClosed, type LineTo } from "./send-lines.ts";
import type { MeantWindow } from "./send-step.ts";
import type { SentWindow } from "./windows-in-flight.ts";

interface Outgoing {
  readonly item: ItemToSend;
  readonly letter: ExaminedLetter;
}

interface Window {
  readonly lead: Lead;
  readonly lineTo: LineTo;
  /** They are in doubt, and go under the same mark again; otherwise it is their turn. */
  readonly areSecondCopies: boolean;
}

/** `closed`: it was not sent, and may be. Or why it was not sent, and never will be so. */
type SendOutcome = "sent" | "in_doubt" | "closed" | UnsentReason;

type UnsentReason = Extract<ReasonCode, "destination.missing" | "message.too_large" | "job.moved" | "job.refused">;

/**
 * Sends one window of items: those that are still allowed, after their intent is durable, each once.
 */
export async function sendWindow(
  { ledger }: ReplayParts,
  { lead, lineTo, areSecondCopies }: Window,
  { items, examined }: MeantWindow,
): Promise<SentWindow> {
  const letters = new Map(examined.map((letter) => [hexOf(letter.candidate.id), letter]));
  const outgoing: Outgoing[] = [];
  const drifted: { n: number; reason: string }[] = [];
  for (const item of items) {
    const letter = letters.get(hexOf(item.letterId));
    const against = objectionTo(item, letter);
    if (letter !== undefined && against === null) outgoing.push({ item, letter });
    else drifted.push({ n: item.n, reason: against?.code ?? "source.gone" });
  }
  if (drifted.length > 0) await driftItems(ledger, lead, drifted);
  const numbers = outgoing.map(({ item }) => item.n);
  const intend = areSecondCopies ? intendAgain : intendItems;
  const notes = await notesFor(lineTo, outgoing);
  const intent = await intend(ledger, lead, numbers, notes);
  const allowed = outgoing.filter(({ item }) => intent.items.has(item.n));
  const going = await withKeptEdits(ledger, lead, allowed);
  const outcomes = await sendAll({ lead, lineTo: withinWindow(lineTo), intent: intent.number, notes }, going);
  const unsent = numbersOf(outcomes, "closed");
  const noted = await noteOutcomes(ledger, lead, outcomes);
  // Of a second copy that did not go, the first may be there all the same.
  if (unsent.length > 0 && !areSecondCopies) {
    const absent = unsent.map((n) => ({ n, intent: intent.number }));
    await noteAbsent(ledger, ledger.database, { replay: lead.replay, absent });
  }
  return { ...noted, again: unsent.length };
}

/** What has to be known of each queue to look for these sends, if nobody hears the end of them. */
async function notesFor(lineTo: LineTo, outgoing: readonly Outgoing[]): Promise<readonly SendNote[]> {
  const places = new Map(outgoing.map(({ item }) => [JSON.stringify([item.source, item.destination]), item]));
  const notes = await Promise.all(
    [...places.values()].map(async ({ source, destination: queue }) => {
      const note = queue === null ? null : await askLine(lineTo, source, (line) => line.note(queue));
      return queue === null || note === null ? [] : [{ source, queue, note }];
    }),
  );
  return notes.flat();
}

/** What the replay's patch made of letters is durable before it is sent; a letter somebody else has edited by now stays. */
async function withKeptEdits(ledger: Ledger, lead: Lead, outgoing: readonly Outgoing[]): Promise<readonly Outgoing[]> {
  const patched = outgoing.flatMap(({ item: { n, letterId, revision }, letter }) => {
    const { isNewRevision, payload: body, payloadSha256: sha256, headers } = letter;
    return isNewRevision && body !== null && sha256 !== null ? [{ n, letterId, revision, body, sha256, headers }] : [];
  });
  if (patched.length === 0) return outgoing;
  const kept = await keepPatched(ledger, lead.replay, patched);
  const overtaken = patched.filter(({ n }) => !kept.has(n)).map(({ n }) => n);
  if (overtaken.length > 0) await noteUnsent(ledger, lead, overtaken, "edit.superseded");
  return outgoing.filter(({ item }) => !overtaken.includes(item.n));
}

/** The same lines to its end: after one that did not go because its line is closed, none of its key may go by another. */
function withinWindow(lineTo: LineTo): LineTo {
  const lines = new Map<string, Promise<SendLine>>();
  return (source) => {
    const line = lines.get(source) ?? lineTo(source);
    lines.set(source, line);
    return line;
  };
}

type Outcomes = ReadonlyMap<number, SendOutcome>;

interface Intended extends Omit<Window, "areSecondCopies"> {
  readonly intent: number;
  readonly notes: readonly SendNote[];
}

async function sendAll(intended: Intended, outgoing: readonly Outgoing[]): Promise<Outcomes> {
  const { lineTo } = intended;
  const turns = new Map<string, Promise<unknown>>();
  const outcomes = await Promise.all(
    outgoing.map(async ({ item, letter }) => {
      const send = () => sendOne(intended, { item, letter });
      const { queue, orderKey } = letter.candidate;
      if (orderKey === null) return [item.n, await send()] as const;
      const key = JSON.stringify([queue, orderKey]);
      // Those of one ordering key one after the other: a broker may take what is sent at once in any order.
      const sending = (turns.get(key) ?? Promise.resolve()).then(send);
      turns.set(key, sending);
      return [item.n, await sending] as const;
    }),
  );
  const uncommitted = await commitAll(lineTo, outgoing);
  const isLost = new Set(outgoing.flatMap(({ item }) => (uncommitted.has(item.source) ? [item.n] : [])));
  return new Map(outcomes.map(([n, outcome]) => [n, outcome === "sent" && isLost.has(n) ? "in_doubt" : outcome]));
}

/** Names of the sources of which it is unknown whether they made final what they were sent. */
async function commitAll(lineTo: LineTo, outgoing: readonly Outgoing[]): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  for (const source of new Set(outgoing.map(({ item }) => item.source))) {
    await lineTo(source)
      .then((line) => line.commit())
      .catch(() => failed.add(source));
  }
  return failed;
}

function numbersOf(outcomes: Outcomes, outcome: SendOutcome): readonly number[] {
  return [...outcomes].filter(([, each]) => each === outcome).map(([n]) => n);
}

async function noteOutcomes(ledger: Ledger, lead: Lead, outcomes: Outcomes): Promise<Omit<SentWindow, "again">> {
  const [sent, doubtful] = [numbersOf(outcomes, "sent"), numbersOf(outcomes, "in_doubt")];
  const unproven = [...doubtful, ...numbersOf(outcomes, "closed")];
  if (sent.length > 0) await noteSent(ledger, lead.replay, sent);
  if (unproven.length > 0) await noteDoubt(ledger, lead, unproven);
  for (const reason of new Set(outcomes.values())) {
    if (reason === "sent" || reason === "in_doubt" || reason === "closed") continue;
    await noteUnsent(ledger, lead, numbersOf(outcomes, reason), reason);
  }
  return { sent: sent.length + doubtful.length, inDoubt: doubtful.length };
}

async function sendOne({ lineTo, lead, intent, notes }: Intended, { item, letter }: Outgoing): Promise<SendOutcome> {
  const { n, source, destination: queue, via } = item;
  if (queue === null) return "destination.missing";
  const { candidate, reading, payload, headers: editedHeaders } = letter;
  const message = outgoingMessage({
    ...{ letter: showId("letter", candidate.id), replay: showSend({ replay: lead.replay, n }) },
    ...{ message: candidate.message, reading, editedBody: payload, editedHeaders, queue },
    place: candidate.queue === queue ? candidate.place : null,
    key: letter.duplicates?.kind === "key_missing" ? showId("letter", candidate.id) : null,
  });
  try {
    const line = await lineTo(source);
    const note = notes.find((each) => each.source === source && each.queue === queue)?.note ?? null;
    await line.send(queue, message, { n, intent, via, position: candidate.position, note });
    return "sent";
  } catch (error) {
    if (isClosed(error)) return "closed";
    // A refusal says that the broker has not got it. Any other failure says nothing at all.
    return isFinal(error) ? unsentBecause(error) : "in_doubt";
  }
}

function unsentBecause(error: unknown): UnsentReason {
  if (isOfficeError(error, "JOB_MOVED")) return "job.moved";
  if (isOfficeError(error, "MESSAGE_TOO_LARGE")) return "message.too_large";
  return isOfficeError(error, "JOB_REFUSED") ? "job.refused" : "destination.missing";
}
