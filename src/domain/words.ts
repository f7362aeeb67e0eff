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

/** Each word with the places it stands at, counted from 1, so that a phrase can be found too. */
export function placesOf(words: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  words.forEach((word, index) => {
    const at = places.get(word);
    if (at === undefined) places.set(word, [index + 1]);
    else at.push(index + 1);
  });
  return places;
}
