import { isFinal } from "../../domain/errors.ts";
import { hexOf, showId } from "../../domain/ids.ts";
import { showSend } from "../../domain/send-mark.ts";
import { intendItems, type Lead, noteDoubt, noteSent, noteUnsent } from "../../ledger/lead-replay.ts";
import type { ReplayItem } from "../../ledger/replay-items.ts";
import { driftItems } from "../../ledger/replay-moves.ts";
import type { ExaminedLetter } from "./examine-letters.ts";
import { outgoingMessage } from "./outgoing-message.ts";
import type { ReplayParts } from "./replay-parts.ts";

interface Outgoing {
  readonly item: ReplayItem;
  readonly letter: ExaminedLetter;
}

type SendOutcome = "sent" | "unsent" | "in_doubt";

/**
 * Sends one window of items: those that are still allowed, after their intent is durable, each once. Gives how many the
 * broker may have now.
 */
export async function sendWindow(
  parts: ReplayParts,
  lead: Lead,
  { items, examined }: { readonly items: readonly ReplayItem[]; readonly examined: readonly ExaminedLetter[] },
): Promise<number> {
  const letters = new Map(examined.map((letter) => [hexOf(letter.candidate.id), letter]));
  const outgoing: Outgoing[] = [];
  const drifted: { n: number; reason: string }[] = [];
  for (const item of items) {
    const letter = letters.get(hexOf(item.letterId));
    const against = letter === undefined ? "source.gone" : objection(item, letter);
    if (letter !== undefined && against === null) outgoing.push({ item, letter });
    else drifted.push({ n: item.n, reason: against ?? "source.gone" });
  }
  if (drifted.length > 0) await driftItems(parts.ledger, lead, drifted);
  const allowed = await intendItems(
    parts.ledger,
    lead,
    outgoing.map(({ item }) => item.n),
  );
  return sendAll(
    parts,
    lead,
    outgoing.filter(({ item }) => allowed.has(item.n)),
  );
}

/** What speaks against sending it now, though it was planned; null when nothing does. */
function objection(item: ReplayItem, { judgement, payloadSha256, destination }: ExaminedLetter): string | null {
  if (judgement.decision !== "replay") return judgement.code;
  if (destination !== item.destination) return "destination.ambiguous";
  const isSame =
    payloadSha256 !== null && item.payloadSha256 !== null && hexOf(payloadSha256) === hexOf(item.payloadSha256);
  return isSame ? null : "edit.superseded";
}

async function sendAll(parts: ReplayParts, lead: Lead, outgoing: readonly Outgoing[]): Promise<number> {
  const lanes = new Map<string, Promise<unknown>>();
  const outcomes = await Promise.all(
    outgoing.map(({ item, letter }) => {
      const { queue, orderKey } = letter.candidate;
      const lane = orderKey === null ? null : JSON.stringify([queue, orderKey]);
      // Those of one ordering key one after the other: a broker may take what is sent at once in any order.
      const turn = (lane === null ? undefined : lanes.get(lane)) ?? Promise.resolve();
      const sending = turn.then(() => sendOne(parts, lead, { item, letter }));
      if (lane !== null) lanes.set(lane, sending);
      return sending;
    }),
  );
  const numbersOf = (outcome: SendOutcome) =>
    outgoing.filter((_, index) => outcomes[index] === outcome).map(({ item }) => item.n);
  const [sent, unsent, doubtful] = [numbersOf("sent"), numbersOf("unsent"), numbersOf("in_doubt")];
  if (sent.length > 0) await noteSent(parts.ledger, lead.replay, sent);
  if (doubtful.length > 0) await noteDoubt(parts.ledger, lead.replay, doubtful);
  if (unsent.length > 0) await noteUnsent(parts.ledger, lead.replay, unsent, "destination.missing");
  return sent.length + doubtful.length;
}

async function sendOne({ send }: ReplayParts, lead: Lead, { item, letter }: Outgoing): Promise<SendOutcome> {
  if (item.destination === null) return "unsent";
  const { candidate, reading, payload } = letter;
  const message = outgoingMessage({
    ...{ letter: showId("letter", candidate.id), replay: showSend({ replay: lead.replay, n: item.n }) },
    ...{ message: candidate.message, reading, editedBody: payload, queue: item.destination },
  });
  try {
    await send(item.source, item.destination, message);
    return "sent";
  } catch (error) {
    // A refusal says that the broker has not got it. Any other failure says nothing at all.
    return isFinal(error) ? "unsent" : "in_doubt";
  }
}
