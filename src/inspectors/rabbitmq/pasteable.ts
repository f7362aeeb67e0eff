/**
 * Commands that are pasted into a shell, whatever a queue is called: a name with quotes, line breaks or `$(rm -rf /)` in it
 * must stay a name. So every name is written in characters that mean nothing to a shell between single quotes.
 */

/** Between single quotes. */
export function quoted(text: string): string {
  return `'${printable(text).replaceAll("'", `'\\''`)}'`;
}

/** As a part of a URL's path. */
export function inUrl(name: string): string {
  return encodeURIComponent(name).replaceAll("'", "%27");
}

/** JSON between single quotes. */
export function jsonArgument(value: unknown): string {
  return `'${printable(JSON.stringify(value)).replaceAll("'", "\\u0027")}'`;
}

/** A regular expression for exactly this name. */
export function exactly(name: string): string {
  const escaped = name.replaceAll(/[^A-Za-z0-9_\u00a1-\uffff]/gu, (character) =>
    /[!-~]/.test(character) && character !== "'"
      ? `\\${character}`
      : `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `^${escaped}$`;
}

/** What could move the cursor or turn the direction of writing, as JSON would escape it. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
