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
  const query = context.parameters.add(lexemes.join(" <-> "));
  return `l.id in (select c.letter_id from ${context.at}.classifications c where c.words @@ ${query}::tsquery)`;
}

/** Exactly one of its keys; with a `*`, its first one by its shape. */
export function matchesKey(text: string, { at, parameters }: CompileContext): string {
  if (text.includes("*")) return `l.key ilike ${parameters.add(likePattern(text))}`;
  return `l.id in (select b.letter_id from ${at}.bodies b where b.keys @> array[${parameters.add(text)}])`;
}
