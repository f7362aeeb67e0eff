/** `1,204`. */
export function showCount(n: number): string {
  return n.toLocaleString("en");
}

/** `1 letter`, `1,204 letters`. */
export function showLetters(n: number): string {
  return `${showCount(n)} ${n === 1 ? "letter" : "letters"}`;
}

const byteUnits = ["B", "kB", "MB", "GB", "TB"];

/** `512 B`, `4.2 MB`. */
export function showBytes(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const n = bytes / 1_000 ** power;
  return `${n < 10 && power > 0 ? n.toFixed(1) : Math.round(n)} ${byteUnits[power]}`;
}

/** What programs call `in_doubt`, people call "in doubt". */
export function inWords(code: string): string {
  return code.replaceAll("_", " ");
}
