import type { Option, Place } from "./choices.ts";

/** As bash, zsh and fish read it back. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Every option that takes a value, with what that can be: ` --view=VIEW -q=QUERY `. */
export function takesOf(options: readonly Option[]): string {
  const pairs = options.flatMap(({ spellings, value }) =>
    value === null ? [] : spellings.map((spelling) => `${spelling}=${value}`),
  );
  return pairs.length === 0 ? "" : ` ${pairs.join(" ")} `;
}

/** Places that are told by their first two words, and those that are told by one: where two say nothing, one does. */
export function byLength(places: readonly Place[]): { readonly two: readonly Place[]; readonly one: readonly Place[] } {
  return { two: places, one: places.filter(({ after }) => after !== "" && !after.includes(" ")) };
}
