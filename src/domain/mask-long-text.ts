import type { Steps } from "./steps.ts";

/** Characters that are looked at together. */
const windowLength = 32_768;
/** No detector takes more than this into one finding; what does is longer than anything that it is meant for. */
export const longestFinding = 9_000;
/** So many places for a cut are tried, each a little earlier. */
const mostTries = 12;
const tryEarlier = 997;

export interface LongText {
  /** Takes out of a text what must not be shown. */
  readonly detect: (text: string) => string;
  /** What is shown of a part that cannot be looked at piece by piece. */
  readonly mask: string;
}

/** Whether it is looked at piece by piece. */
export function isLong(text: string): boolean {
  return text.length > windowLength + longestFinding;
}

/**
 * A text of any length, masked piece by piece, with a pause after each: detectors are regular expressions, whose time may grow
 * faster than a text does, and whose stack has an end. Cut only where no finding lies across: there both sides give the same
 * by themselves as together.
 */
export function* maskLongText(text: string, { detect, mask }: LongText): Steps<string> {
  const shown: string[] = [];
  let start = 0;
  while (text.length - start > windowLength + longestFinding) {
    const cut = cutBehind(text, start + windowLength, detect);
    // One finding goes on and on: whatever it is, no part of it is shown.
    shown.push(cut === null ? mask : detect(text.slice(start, cut)));
    start = cut ?? start + windowLength;
    yield;
  }
  shown.push(detect(text.slice(start)));
  return shown.join("");
}

function cutBehind(text: string, latest: number, detect: LongText["detect"]): number | null {
  for (let tries = 0; tries < mostTries; tries++) {
    const cut = latest - tries * tryEarlier;
    const [from, to] = [cut - longestFinding, cut + longestFinding];
    const apart = detect(text.slice(from, cut)) + detect(text.slice(cut, to));
    if (apart === detect(text.slice(from, to))) return cut;
  }
  return null;
}
