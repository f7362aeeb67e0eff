import { OfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import type { Message } from "../../domain/message.ts";
import { isBeingDrained } from "../../ledger/drain-session.ts";
import { cameByDrain } from "../../ledger/letter-keys.ts";
import type { Candidate } from "../../ledger/read-candidates.ts";
import { digestOf, encodeMessage } from "../intake/identify.ts";
import { openLetter } from "../open-letter.ts";
import type { ReplayParts } from "../replay/replay-parts.ts";

export type ReturningParts = Pick<ReplayParts, "ledger" | "read" | "bodies" | "takesBack">;

/** A letter that can go back to where it was drained. */
export interface Returnable {
  /** As it came. */
  readonly message: Message;
  /** By which a drain would take it for one it had before; null where positions tell letters apart. */
  readonly digest: Uint8Array | null;
}

/** Refuses a letter that cannot go back to its dead-letter queue as it came, or should not. */
export async function requireBack(parts: ReturningParts, candidate: Candidate): Promise<Returnable> {
  const { ledger } = parts;
  const { id, source, drainedFrom: queue, position } = candidate;
  if (candidate.restoredTo !== null) throw refused("restored", candidate);
  const { letter, payload } = await openLetter(parts, candidate);
  if (payload === null || candidate.cutTo !== null) throw refused("incomplete", candidate);
  const digest = position === null ? digestOf(source, letter, encodeMessage(letter.message)) : null;
  if (digest !== null && !(await cameByDrain(ledger, ledger.database, { letter: id, digest })))
    throw refused("imported", candidate);
  const taken = await parts.takesBack({ source, queue, position });
  if (taken !== "yes") throw refused(taken, candidate);
  if (await isBeingDrained(ledger, ledger.database, { source, queue })) throw refused("drained", candidate);
  return { message: letter.message, digest };
}

type Because = "restored" | "incomplete" | "imported" | "drained" | "there";

const sentences: Readonly<Record<Because, (letter: string, place: string) => string>> = {
  restored: (letter, place) =>
    `The ledger was restored from a backup after ${letter} came, so that it may have gone back or been replayed since. ` +
    `Look for it in ${place}; then plan a replay of it, or drop it.`,
  incomplete: (letter) =>
    `${letter} cannot go back as it came: its body or its headers are not here, or were cut. ` +
    "Replay it with an edit, or drop it.",
  imported: (letter, place) =>
    `${letter} came from a file: no drain of this office took it from ${place}. Replay it, or drop it.`,
  drained: (letter, place) =>
    `This office drains ${place} and would take ${letter} again at once. Set \`mode: observe\` for that queue in ` +
    "dlo.config.yaml and start the office anew, or end the `dlo drain` that is at work there.",
  there: (letter, place) =>
    `${letter} was read in ${place} and lies there still: sent again, it would be there twice. Nothing has to go back; ` +
    "drop the letter here when you need it no more.",
};

function refused(because: Because, { id, source, drainedFrom }: Candidate): OfficeError {
  const letter = showId("letter", id);
  const place = `${source}/${drainedFrom}`;
  const text = sentences[because](letter, place);
  return new OfficeError("GIVE_BACK_REFUSED", text, { details: { because, letter, source, queue: drainedFrom } });
}
