/** A word as a shell reads it back: in quotes where it needs them. */
export function quoted(text: string): string {
  return /^[\w.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The flag that says why, where somebody did. */
export function because(why: string): string {
  return why === "" ? "" : ` --reason ${quoted(why)}`;
}
