import type { Actor } from "../../domain/actor.ts";
import { pause } from "../../domain/clock.ts";
import { showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { giveUpLead, holdEnded, keepLead, type Lead } from "../../ledger/lead-replay.ts";
import {
  type DoubtfulSend,
  doubtAllAbandoned,
  findDoubtful,
  findEndedInDoubt,
  noteAbsent,
  treatAsSent,
} from "../../ledger/settle-doubt.ts";
import type { SendFinding } from "../../sources/send-line.ts";
import type { ReplayParts } from "./replay-parts.ts";
import { askLine, type LineTo } from "./send-lines.ts";

/** Brokers keep what tells of a send for longer than this; what is in doubt for longer is for people to settle. */
export const soughtDays = 30;

export interface EvidenceRequest {
  readonly replay: Uint8Array;
  /** In whose name the replay runs. */
  readonly actor: Actor;
  readonly lineTo: LineTo;
}

/**
 * Settles sends in doubt by what their brokers know of them: those that arrived wait for their outcome, those that provably did
 * not have their turn again. The rest stays in doubt.
 */
export async function seekEvidence(
  { ledger, host }: Pick<ReplayParts, "ledger" | "host">,
  { replay, actor, lineTo }: EvidenceRequest,
): Promise<void> {
  const doubtful = await findDoubtful(ledger, replay, soughtDays);
  const found: { send: DoubtfulSend; finding: SendFinding }[] = [];
  for (const source of new Set(doubtful.map((send) => send.source))) {
    const lost = doubtful.filter((send) => send.source === source);
    const findings = await askLine(lineTo, source, (line) => line.findOut(lost));
    for (const send of lost) {
      const finding = findings.get(send.n);
      if (finding !== undefined) found.push({ send, finding });
    }
  }
  if (found.length === 0) return;
  const withFinding = (wanted: SendFinding) =>
    found.filter(({ finding }) => finding === wanted).map(({ send }) => send);
  const [sent, unsent] = [withFinding("sent"), withFinding("unsent")];
  const details = { replay: showId("replay", replay), sent: numbersOf(sent), unsent: numbersOf(unsent) };
  await ledger.database.transaction(async (transaction) => {
    await treatAsSent(ledger, transaction, { replay, numbers: details.sent });
    await noteAbsent(ledger, transaction, { replay, absent: unsent });
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action: "replay.evidence_found", details });
  });
}

type SeekingParts = Pick<ReplayParts, "ledger" | "host" | "line">;

/**
 * Of replays that were cancelled, halted or paused while their sender was dying: no leader takes those over. To look shuts out
 * whoever sends for the replay, so each is held meanwhile: a leader of one that is resumed begins when this is over.
 *
 * Each time it goes on where it was: those of which no broker tells, or whose broker does not answer, do not keep it from the others.
 */
export function endedSettler(parts: SeekingParts, actor: Actor): () => Promise<void> {
  const { ledger } = parts;
  let after: Uint8Array | null = null;
  return async () => {
    await doubtAllAbandoned(ledger);
    for (const replay of await findEndedInDoubt(ledger, { after, sinceDays: soughtDays })) {
      after = replay;
      const held = await holdEnded(ledger, replay, heldMs);
      if (held === null) continue;
      const seek = () => seekEvidence(parts, { replay, actor, lineTo: (source) => parts.line(source, replay) });
      await whileHeld(parts, held, seek);
    }
  };
}

/** How long others wait for one that died while it looked, in milliseconds. */
const heldMs = 10_000;
const beatMs = 1_000;

/** A log may be long. What could not be kept is not told: whoever leads by then finds out what was done to its sends. */
async function whileHeld({ ledger, host }: SeekingParts, held: Lead, work: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const beat = async () => {
    while (!over.signal.aborted) {
      await pause(host.clock, beatMs, over.signal);
      if (!over.signal.aborted) await keepLead(ledger, held, heldMs).catch(() => null);
    }
  };
  const beating = beat();
  try {
    await work();
  } finally {
    over.abort();
    await beating;
    await giveUpLead(ledger, held);
  }
}

function numbersOf(sends: readonly DoubtfulSend[]): readonly number[] {
  return sends.map(({ n }) => n);
}
