/** Up to so many characters or bytes, copying them here takes less time than a call out of JavaScript that copies them. */
export const short = 48;

/**
 * Writes text in UTF-8, without what PostgreSQL cannot hold: NUL becomes its picture, half a character the replacement one.
 * There must be room for three bytes a character. Gives how many bytes it took.
 */
export function writeText(bytes: Buffer, text: string, at: number): number {
  if (text.length <= short && writePlain(bytes, text, at)) return text.length;
  return bytes.write(text.includes("\0") ? text.replaceAll("\0", "\u2400") : text, at, "utf8");
}

/** False where it is not plain ASCII. */
function writePlain(bytes: Buffer, text: string, at: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0 || code > 127) return false;
    bytes[at + index] = code;
  }
  return true;
}
