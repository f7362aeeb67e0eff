import type { Terminal, Tone } from "../terminal/terminal.ts";

/** How a text is painted: none, one tone, or several at once. */
export type Ink = readonly Tone[];

/** A rectangle of characters to draw on. What falls outside is cut off, so a drawing never wraps or scrolls. */
export class Sheet {
  readonly columns: number;
  readonly rows: number;
  readonly #glyphs: string[][];
  readonly #inks: Ink[][];

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.#glyphs = Array.from({ length: rows }, () => Array<string>(columns).fill(" "));
    this.#inks = Array.from({ length: rows }, () => Array<Ink>(columns).fill(plain));
  }

  /** Writes `text` from there to the right, at most `width` characters of it. Gives the column behind it. */
  put(x: number, y: number, text: string, ink: Ink = plain, width = Number.POSITIVE_INFINITY): number {
    const glyphs = [...cut(text, width)];
    for (const [index, glyph] of glyphs.entries()) this.#set(x + index, y, glyph, ink);
    return x + glyphs.length;
  }

  /** Writes `text` so that it ends before column `end`. */
  putEndingAt(end: number, y: number, text: string, ink: Ink = plain): void {
    this.put(end - [...text].length, y, text, ink);
  }

  /** All rows, each exactly as wide as the sheet. */
  lines({ paint }: Pick<Terminal, "paint">): string[] {
    return this.#glyphs.map((glyphs, y) => {
      const runs = runsOf(glyphs, this.#inks[y] ?? []);
      return runs.map(({ text, ink }) => ink.reduce((painted, tone) => paint(tone, painted), text)).join("");
    });
  }

  #set(x: number, y: number, glyph: string, ink: Ink): void {
    const [glyphs, inks] = [this.#glyphs[y], this.#inks[y]];
    if (glyphs === undefined || inks === undefined || x < 0 || x >= this.columns) return;
    glyphs[x] = glyph;
    inks[x] = ink;
  }
}

const plain: Ink = [];

interface Run {
  text: string;
  readonly ink: Ink;
}

/** Neighbours of the same ink together: fewer escape sequences to send. */
function runsOf(glyphs: readonly string[], inks: readonly Ink[]): Run[] {
  const runs: Run[] = [];
  for (const [x, glyph] of glyphs.entries()) {
    const ink = inks[x] ?? plain;
    const last = runs.at(-1);
    if (last?.ink === ink) last.text += glyph;
    else runs.push({ text: glyph, ink });
  }
  return runs;
}

/** At most `width` characters, and it shows when something is missing. */
function cut(text: string, width: number): string {
  const glyphs = [...text];
  if (glyphs.length <= width) return text;
  return width < 4 ? glyphs.slice(0, Math.max(0, width)).join("") : `${glyphs.slice(0, width - 2).join("")}..`;
}
