/** Text that PostgreSQL can hold, at most so long: NUL becomes its picture. */
export function readableText(text: string, most: number): string {
  const fitting = text.length <= most ? text : text.slice(0, most);
  return fitting.includes("\0") ? fitting.replaceAll("\0", "\u2400") : fitting;
}
