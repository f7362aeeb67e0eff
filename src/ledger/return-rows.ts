import type { Category } from "../domain/classification.ts";
import { hexOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import { type SendMark, showSend } from "../domain/send-mark.ts";
import { CopyRows } from "./copy-rows.ts";
import type { NewLetter } from "./new-letter.ts";
import type { PlacedLetter } from "./place-letters.ts";

/** A message that died again, with the send that it is of and the group of its new failure. */
export interface Return {
  readonly mark: SendMark;
  readonly placed: PlacedLetter;
}

/** A letter that a message came back to, as it stands. */
export interface Standing {
  readonly id: Uint8Array;
  readonly state: LetterState;
  readonly category: Category;
  readonly groupId: Uint8Array;
  /** When it had failed last, in milliseconds since 1970. */
  readonly failedAt: number;
  /** How much of each its history has. */
  readonly attempts: number;
  readonly classifications: number;
  /** Its sends that are under way, as `dlo-replay` writes them. */
  readonly underWay: readonly string[];
  /** A message that makes up for it is under way. */
  readonly isCompensating: boolean;
}

/** A return, with the letter it came back to. */
export interface History extends Return {
  readonly standing: Standing;
  /** It is back before anybody noted that it was sent. */
  readonly isUncounted: boolean;
}

export const attemptColumns =
  "attempts (letter_id, n, at, kind, replay, error_class, error_message, error_code, stack_id, headers, properties, body, details)";

export function attemptRows(histories: readonly History[]): Uint8Array {
  const rows = new CopyRows();
  const next = counter();
  for (const { mark, placed, standing, isUncounted } of histories) {
    const { letter } = placed;
    const { error, content, times } = letter;
    const number = () => next(hexOf(standing.id), standing.attempts);
    if (isUncounted) {
      rows.row(13).uuid(standing.id).integer(number()).timestamp(times.arrivedAt).text("sent").text(showSend(mark));
      for (let column = 5; column < 12; column++) rows.bytes(null);
      rows.text("{}");
    }
    rows.row(13).uuid(standing.id).integer(number()).timestamp(times.arrivedAt).text("returned").text(showSend(mark));
    rows.text(error.class).text(error.message).text(error.code).bytes(placed.stackId);
    rows.bytes(content.headers).bytes(content.properties).bytes(wrapping(letter)).text(detailsOf(letter));
  }
  return rows.finished();
}

/** Numbers of each letter in turn: one letter may come back twice in a batch. */
function counter(): (letter: string, from: number) => number {
  const given = new Map<string, number>();
  return (letter, from) => {
    const n = (given.get(letter) ?? from) + 1;
    given.set(letter, n);
    return n;
  };
}

/** The body as it came, where it is not what was sent: somebody wrapped it. */
function wrapping({ content, trail }: NewLetter): Uint8Array | null {
  const isPayload =
    content.sha256 !== null && trail.payloadSha256 !== null && hexOf(content.sha256) === hexOf(trail.payloadSha256);
  return isPayload ? null : content.body;
}

function detailsOf({ content, drainedFrom }: NewLetter): string {
  const { bodyRef, position, cut, reading } = content;
  const told = { drainedFrom, position, ...(bodyRef === null ? {} : { bodyRef }), ...(cut === null ? {} : { cut }) };
  return JSON.stringify({ ...told, reading: JSON.parse(Buffer.from(reading).toString()) as unknown });
}

/** As classifications of the letters they came back to, after those they had. */
export function renumbered(histories: readonly History[]): readonly PlacedLetter[] {
  const next = counter();
  return histories.map(({ placed, standing }) => ({
    ...placed,
    letter: { ...placed.letter, id: standing.id },
    nth: next(hexOf(standing.id), standing.classifications),
  }));
}
