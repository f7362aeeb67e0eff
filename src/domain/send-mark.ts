import { readId, showId } from "./ids.ts";
import { type Header, headerText } from "./message.ts";
import { wire } from "./wire.ts";

/** What a message that a replay sent bears: which letter it is, and the how-manieth of which replay. */
export interface SendMark {
  readonly letter: Uint8Array;
  readonly replay: Uint8Array;
  /** Counts from 1. */
  readonly n: number;
}

/** As `dlo-replay` writes it: `rpl_…/7`. */
export function showSend({ replay, n }: Pick<SendMark, "replay" | "n">): string {
  return `${showId("replay", replay)}/${n}`;
}

/** Null where what is written there is not even of the right shape. Anybody may write it: only the ledger knows if it is so. */
export function readSendMark({
  letter,
  replay,
}: {
  readonly letter: string;
  readonly replay: string;
}): SendMark | null {
  const [, id, n] = /^(rpl_\w+)\/([1-9]\d{0,8})$/u.exec(replay) ?? [];
  if (id === undefined || n === undefined) return null;
  try {
    return { replay: readId("replay", id), n: Number(n), letter: readId("letter", letter) };
  } catch {
    return null;
  }
}

/** Null for a message that does not say so of itself. */
export function sendMarkOf(headers: readonly Header[]): SendMark | null {
  const replay = headerText(headers, wire.replay);
  const letter = headerText(headers, wire.letter);
  return replay === undefined || letter === undefined ? null : readSendMark({ letter, replay });
}
