import { stripVTControlCharacters } from "node:util";

/** Lines of at most `width` characters, broken between words, but never before a percent sign. */
export function wrap(text: string, width: number): string[] {
  return fill(text.split(/\s+(?!%)/), width, " ");
}

/** As many of the parts to a line as fit in `width`, in order, colours not counted. */
export function fill(parts: readonly string[], width: number, between = "   "): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const fits = last !== undefined && shownWidth(last) + between.length + shownWidth(part) <= width;
    if (fits) lines[lines.length - 1] = last + between + part;
    else lines.push(part);
  }
  return lines;
}

/** How many characters a text takes on the screen, colours not counted. */
export function shownWidth(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

export function padLeft(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - shownWidth(text))) + text;
}

export function padRight(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - shownWidth(text)));
}
