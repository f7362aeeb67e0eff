/** More would make a search slower, and nobody searches for the hundredth word of an error. */
const maxWords = 100;
const maxWordLength = 64;

/**
 * Text as the words people search for: split at everything that is neither letter nor digit, and at the humps of camel
 * case; in small letters. `TimeoutError: read ECONNRESET` is timeout, error, read, econnreset.
 */
export function wordsOf(text: string): readonly string[] {
  return plainWords(text) ?? anyWords(text);
}

function anyWords(text: string): readonly string[] {
  const apart = text.replace(/([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1$2 ");
  const words = apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, maxWords).map((word) => word.slice(0, maxWordLength));
}

/** What a character is: nothing of a word, a small letter or digit, or a capital. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return /[A-Z]/.test(sign) ? 2 : /[a-z0-9]/.test(sign) ? 1 : 0;
});

/** The same for text of plain ASCII, which most errors are, in a tenth of the time; null where it is not. */
function plainWords(text: string): readonly string[] | null {
  const words: string[] = [];
  let start = -1;
  let before = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index === text.length ? 0 : text.charCodeAt(index);
    if (code > 127) return null;
    const kind = kinds[code] ?? 0;
    const isEnd = kind === 0 || (kind === 2 && (before === 1 || isSmall(text.charCodeAt(index + 1))));
    if (isEnd && start >= 0) {
      if (words.length < maxWords) words.push(text.slice(start, Math.min(index, start + maxWordLength)).toLowerCase());
      start = -1;
    }
    if (kind !== 0 && start < 0) start = index;
    before = kind;
  }
  return words;
}

const isSmall = (code: number) => code >= 97 && code <= 122;

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
