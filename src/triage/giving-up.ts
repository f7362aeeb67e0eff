import { givingUpHints, givingUpShapes, handlingShapes, wordRoles } from "./topics/giving-up.ts";

/** A text without the words that say only that somebody gave up. */
export interface BesideGivingUp {
  /** The text with a space for each character of those words. */
  readonly rest: string;
  /** Those words; null where there are none. */
  readonly words: string | null;
}

/** In characters: as far as the lexicon reads. */
const longestText = 1_500;

/**
 * Takes out of a text what says only that somebody gave up: "Delivery limit exceeded", "maximum retries reached". What is
 * left may name the cause, as in "retries exhausted: connection refused".
 */
export function besideGivingUp(text: string): BesideGivingUp {
  if (!givingUpHints.test(text)) return { rest: text, words: null };
  const read = text.slice(0, longestText);
  const words = wordsOf(read);
  const roles = words.map(({ role }) => role).join("");
  const spans = spansIn(roles, givingUp);
  const [first] = spans;
  if (first === undefined) return { rest: text, words: null };
  const said = read.slice(words[first.from]?.start, words[first.to]?.end);
  const all = [...spans, ...spansIn(roles, handling)];
  return { rest: blanked(read, words, all) + text.slice(longestText), words: said };
}

interface Word {
  readonly role: string;
  readonly start: number;
  readonly end: number;
}

const roleOf = new Map(
  Object.entries(wordRoles).flatMap(([role, words]) => words.split(/\s+/).map((word) => [word, role] as const)),
);

/** Words, parts of names written as one (`MaxDeliveryCount`), numbers, names in quotes, and what ends a clause. */
const token =
  /["'`][^"'`\s]{1,60}["'`]|\d+(?:[.,/]\d+)*|[A-Z]+(?![a-z])|[A-Z]?[a-z\u00c0-\u024f]+(?:'[a-z]+)?|:(?!\s*\d)|[.,;!?|\n\u2013\u2014]|[^\s\p{P}\p{S}\d]+/gu;

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(token), ({ 0: word, index }) => ({
    role: roleOfWord(word),
    ...{ start: index, end: index + word.length },
  }));
}

function roleOfWord(word: string): string {
  if (/^["'`\d]/.test(word)) return "d";
  if (/^[.,:;!?|\n\u2013\u2014]$/.test(word)) return "|";
  return roleOf.get(word.toLowerCase()) ?? "x";
}

const givingUp = new RegExp(givingUpShapes.join("|"), "g");
const handling = new RegExp(handlingShapes.join("|"), "g");

interface Span {
  readonly from: number;
  readonly to: number;
}

function spansIn(roles: string, shapes: RegExp): Span[] {
  return Array.from(roles.matchAll(shapes), ({ 0: found, index }) => ({ from: index, to: index + found.length - 1 }));
}

function blanked(text: string, words: readonly Word[], spans: readonly Span[]): string {
  let rest = text;
  for (const { from, to } of spans) {
    const [start, end] = [words[from]?.start ?? 0, words[to]?.end ?? 0];
    rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  }
  return rest;
}
