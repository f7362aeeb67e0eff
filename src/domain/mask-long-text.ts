import type { Steps } from "./steps.ts";

/** Characters that are looked at together. */
const windowLength = 32_768;
/** Around a cut so much is looked at. More than a finding takes, but for one that goes on in an unbroken run, which is never cut. */
export const longestFinding = 9_000;
/** So many places for a cut are tried, each a little earlier. */
const mostTries = 12;
const tryEarlier = 997;
/** Before the sign of a finding that begins a run, and behind one that begins at a cut. */
const longestSign = 16;

export interface LongText {
  /** Takes out of a text what must not be shown. */
  readonly detect: (text: string) => string;
  /** How those findings begin that have no longest length: they go on through an unbroken run of characters. */
  readonly endless: RegExp;
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
export function* maskLongText(text: string, of: LongText): Steps<string> {
  const shown: string[] = [];
  let start = 0;
  while (text.length - start > windowLength + longestFinding) {
    const cut = cutBefore(text, start, of);
    // One finding goes on and on: whatever it is, no part of it is shown.
    shown.push(cut === null ? of.mask : of.detect(text.slice(start, cut)));
    start = cut ?? (yield* endOfHidden(text, start + windowLength, of));
    yield;
  }
  shown.push(of.detect(text.slice(start)));
  return shown.join("");
}

/** Where a piece from there on may end; null: nowhere. */
function cutBefore(text: string, start: number, of: LongText): number | null {
  let cut = start + windowLength;
  for (let tries = 0; tries < mostTries; tries++) {
    cut = beforeRun(text, start, cut, of.endless);
    if (cut <= start) return null;
    if (isApart(text, Math.max(start, cut - longestFinding), cut, of)) return cut;
    cut -= tryEarlier;
  }
  return null;
}

/** Whether no finding lies across. */
function isApart(text: string, from: number, cut: number, { detect }: LongText): boolean {
  const to = cut + longestFinding;
  return detect(text.slice(from, cut)) + detect(text.slice(cut, to)) === detect(text.slice(from, to));
}

/** Behind all that is hidden with what goes on at `from`, in steps. */
function* endOfHidden(text: string, from: number, of: LongText): Steps<number> {
  let end = from;
  for (let pause = from; end < text.length; ) {
    if (isInRun(text, end)) end += 1;
    else if (isApart(text, end - longestFinding, end, of)) return end;
    else end += windowLength / 4;
    if (end < pause) continue;
    pause = end + windowLength;
    yield;
  }
  return text.length;
}

/** The cut, or where the run begins in which an endless finding or a card's number may lie across the cut. */
function beforeRun(text: string, start: number, cut: number, endless: RegExp): number {
  let begin = cut;
  for (;;) {
    while (begin > start && isInNumber(text, begin)) begin -= 1;
    let word = begin;
    while (word > start && isInWord(text, word)) word -= 1;
    const run = text.slice(Math.max(0, word - longestSign), begin + longestSign);
    if (word === begin || !endless.test(run)) return begin;
    begin = word;
  }
}

function isInRun(text: string, at: number): boolean {
  return isInWord(text, at) || isInNumber(text, at);
}

/** Whether what tokens and addresses are made of stands on both sides. */
function isInWord(text: string, at: number): boolean {
  return isOfAWord(text.charCodeAt(at - 1)) && isOfAWord(text.charCodeAt(at));
}

/** Whether digits stand on both sides, perhaps with a space or dash: where a card's number begins among them, all before it decides. */
function isInNumber(text: string, at: number): boolean {
  const [before, behind] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  if (isDigit(before) && isDigit(behind))
    return !manyDigits.test(text.slice(Math.max(0, at - moreDigits), at + moreDigits));
  if (isDigit(before)) return isBetweenDigits(behind) && isDigit(text.charCodeAt(at + 1));
  return isBetweenDigits(before) && isDigit(behind) && isDigit(text.charCodeAt(at - 2));
}

/** More than a card's number has: without a space among them they are none, and none begins or ends with them. */
const moreDigits = 20;
const manyDigits = /^\d{40}$/;
const [space, dash] = [0x20, 0x2d];
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const isBetweenDigits = (code: number) => code === space || code === dash;

const ofAWord = new Set([..."_.~+/=-@"].map((character) => character.charCodeAt(0)));
const isLetter = (code: number) => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isOfAWord = (code: number) => isLetter(code) || isDigit(code) || ofAWord.has(code);
