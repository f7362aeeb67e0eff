/** `1,204`. */
export function showCount(n: number): string {
  return n.toLocaleString("en");
}

/** `1 letter`, `1,204 letters`. */
export function showLetters(n: number): string {
  return `${showCount(n)} ${n === 1 ? "letter" : "letters"}`;
}

/** What programs call `in_doubt`, people call "in doubt". */
export function inWords(code: string): string {
  return code.replaceAll("_", " ");
}
