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

/**
 * A text from somewhere else, made fit for a terminal: what could move the cursor, change colours, ring the bell or turn the
 * direction of writing is shown as an escape, so that a queue's name cannot draw what it likes.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** At most `width` characters, the middle left out: names differ at both ends. */
export function shortened(text: string, width: number, ellipsis = "…"): string {
  const characters = [...text];
  if (characters.length <= width) return text;
  const head = Math.ceil((width - ellipsis.length) / 2);
  const tail = width - ellipsis.length - head;
  return characters.slice(0, head).join("") + ellipsis + characters.slice(characters.length - tail).join("");
}
