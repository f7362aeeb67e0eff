/** Dots of braille characters, as bits, by their place in the character. */
const brailleBits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** Stands for a series where colour cannot tell them apart. */
const seriesMarks = ["o", "x", "+", "*", "#", "@"] as const;

/** What is in one character's place: which series was drawn there last, and the character that shows it. */
export interface Cell {
  readonly series: number;
  readonly glyph: string;
}

/** A grid of characters to draw lines into: eight dots to a character in braille, one without. */
export interface Canvas {
  /** In dots. */
  readonly width: number;
  readonly height: number;
  /** Both ends included; (0, 0) is the lower left. */
  line(from: Dot, to: Dot, series: number): void;
  /** From the top row to the bottom one; null where nothing was drawn. */
  rows(): (Cell | null)[][];
}

export interface Dot {
  readonly x: number;
  readonly y: number;
}

export function createCanvas(columns: number, rows: number, { braille }: { readonly braille: boolean }): Canvas {
  const [across, down] = braille ? [2, 4] : [1, 1];
  const masks = new Uint8Array(columns * rows);
  const owners = new Uint8Array(columns * rows);
  const width = columns * across;
  const height = rows * down;

  const dot = (x: number, y: number, series: number) => {
    if (x < 0 || x >= width || y < 0 || y >= height) return;
    const fromTop = height - 1 - y;
    const cell = Math.floor(fromTop / down) * columns + Math.floor(x / across);
    masks[cell] = (masks[cell] ?? 0) | (brailleBits[fromTop % down]?.[x % across] ?? 0);
    owners[cell] = series;
  };
  const cellAt = (index: number): Cell | null => {
    const mask = masks[index] ?? 0;
    if (mask === 0) return null;
    const series = owners[index] ?? 0;
    return { series, glyph: braille ? String.fromCodePoint(0x2800 + mask) : markOf(series) };
  };

  return {
    width,
    height,
    line: (from, to, series) => eachDot(from, to, (x, y) => dot(x, y, series)),
    rows: () =>
      Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (_, column) => cellAt(row * columns + column)),
      ),
  };
}

export function markOf(series: number): string {
  return seriesMarks[series % seriesMarks.length] ?? "o";
}

function eachDot(from: Dot, to: Dot, visit: (x: number, y: number) => void): void {
  const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
  for (let step = 0; step <= steps; step++) {
    const share = step / steps;
    visit(Math.round(from.x + (to.x - from.x) * share), Math.round(from.y + (to.y - from.y) * share));
  }
}
