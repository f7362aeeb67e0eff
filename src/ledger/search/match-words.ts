import type { Value } from "../../domain/query/query.ts";
import { wordsOf } from "../../domain/words.ts";
import { type CompileContext, requireBound } from "./compile-context.ts";
import { likePattern } from "./like-pattern.ts";

/** Words of the error carry no weight; those of the message's type have weight A, so that each can be asked for alone. */
const weights = { error: "D", any: "" } as const;

/**
 * Whole words, in any case; several must follow each other. A trailing `*` is the beginning of a word; a leading one
 * cannot be looked up and is looked for.
 */
export function matchesWords(value: Value, where: keyof typeof weights, context: CompileContext): string {
  const text = value.kind === "range" ? `${value.from}..${value.to}` : value.text;
  if (value.kind === "word" && text.startsWith("*")) {
    requireBound({ at: value.at, length: text.length }, context, "A leading `*`");
    return `l.error_message ilike ${context.parameters.add(`%${likePattern(text.slice(1))}%`)}`;
  }
  const isPrefix = value.kind === "word" && text.endsWith("*");
  const words = wordsOf(text);
  if (words.length === 0) return "false";
  const lexemes = words.map((word, index) => {
    const marks = (isPrefix && index === words.length - 1 ? "*" : "") + weights[where];
    return `'${word}'${marks === "" ? "" : `:${marks}`}`;
  });
  const matches = (lexemesOf: readonly string[], how: string) =>
    `c.words @@ ${context.parameters.add(lexemesOf.join(how))}::tsquery`;
  const found =
    lexemes.length <= estimatedWell
      ? matches(lexemes, " <-> ")
      : `${matches(longest(lexemes), " & ")} and case when ${matches(lexemes, " <-> ")} then true else false end`;
  return `l.id in (select c.letter_id from ${context.at}.classifications c where ${found})`;
}

/**
 * The planner multiplies how common the words of a phrase are, as if they had nothing to do with each other. Of more than two it takes
 * a common phrase for a rare one, and fetches and sorts all that have it for one page. So it is shown two words, and the whole phrase
 * where it does not look.
 */
const estimatedWell = 2;

function longest(lexemes: readonly string[]): readonly string[] {
  return lexemes.toSorted((one, other) => other.length - one.length).slice(0, estimatedWell);
}

/** Exactly one of its keys; with a `*`, its first one by its shape. */
export function matchesKey(text: string, { at, parameters }: CompileContext): string {
  if (text.includes("*")) return `l.key ilike ${parameters.add(likePattern(text))}`;
  return `l.id in (select b.letter_id from ${at}.bodies b where b.keys @> array[${parameters.add(text)}])`;
}
