import { OfficeError } from "./errors.ts";

/** Limits of tags. Longer ones are sentences, and more than so many of them tell nobody anything. */
export const tagLimits = { length: 50, each: 20 } as const;

const written = /^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u;

/** Why this cannot be a tag; null where it can. */
export function tagProblem(text: string): string | null {
  if (!written.test(text))
    return "A tag begins with a letter or a digit, and has letters, digits, dots, dashes, underscores and slashes.";
  return text.length > tagLimits.length ? `A tag has ${tagLimits.length} characters at most.` : null;
}

/** How a tag is kept: how it is written does not tell two of them apart. */
export function tagOf(text: string): string {
  return text.toLowerCase();
}

/** Tags as people give them, each once, or a refusal that names the one that is wrong. */
export function readTags(given: readonly string[]): readonly string[] {
  if (given.length === 0) throw new OfficeError("INVALID_OPTION", "Give at least one tag, such as hold.");
  for (const text of given) {
    const problem = tagProblem(text);
    if (problem !== null)
      throw new OfficeError("INVALID_OPTION", `"${text.slice(0, 80)}" cannot be a tag. ${problem}`, {
        details: { tag: text },
      });
  }
  return [...new Set(given.map(tagOf))];
}
