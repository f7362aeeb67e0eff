/** More would make a search slower, and nobody searches for the hundredth word of an error. */
const maxWords = 100;
const maxWordLength = 64;

/**
 * Text as the words people search for: split at everything that is neither letter nor digit, and at the humps of camel
 * case; in small letters. `TimeoutError: read ECONNRESET` is timeout, error, read, econnreset.
 */
export function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1$2 ");
  const words = apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, maxWords).map((word) => word.slice(0, maxWordLength));
}

/** PostgreSQL's weight A, in the highest bits of a place: words of a message's type, not of its error. */
const weightA = 0xc000;

/**
 * Each word with the places it stands at, counted from 1, so that a phrase can be found too. The words of the type come
 * after those of the error, with a gap: no phrase reaches from one into the other.
 */
export function placesOf(
  error: readonly string[],
  type: readonly string[] = [],
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  const note = (word: string, place: number) => {
    const at = places.get(word);
    if (at === undefined) places.set(word, [place]);
    else at.push(place);
  };
  for (const [index, word] of error.entries()) note(word, index + 1);
  for (const [index, word] of type.entries()) note(word, weightA + error.length + 2 + index);
  return places;
}
