import type { Terminal } from "./terminal.ts";
import { padLeft, padRight, shownWidth } from "./text.ts";

export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
  /** May be left out on a screen that is too narrow for all. @default false */
  readonly optional?: boolean;
}

/** Columns of these titles, to the left but for those that are named again. */
export function columnsOf(titles: readonly string[], toTheRight: readonly string[] = []): readonly Column[] {
  return titles.map((title) => ({ title, align: toTheRight.includes(title) ? "right" : "left" }));
}

const gap = "  ";
/** The last column is cut no shorter than this: less would say nothing. */
const leastLast = 16;

/**
 * Columns as wide as what they hold, two spaces apart, no lines: easy to read and to cut with awk. On a screen that is too
 * narrow the last one is cut, after those that may be are left out; a file or program gets all of it.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], terminal: Terminal): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(shownWidth(title), ...rows.map((row) => shownWidth(row[index] ?? ""))),
  );
  const shown = terminal.interactive ? fitting(columns, widths, terminal.columns) : columns.map((_, index) => index);
  const last = shown.at(-1) ?? 0;
  const before = shown.slice(0, -1).reduce((sum, index) => sum + (widths[index] ?? 0) + gap.length, 0);
  const room = terminal.interactive ? Math.max(leastLast, terminal.columns - before) : Number.POSITIVE_INFINITY;
  const line = (cells: readonly string[]) =>
    shown
      .map((index) => {
        const cell = cells[index] ?? "";
        if (index === last && columns[index]?.align === "left") return cut(cell, room, terminal);
        return (columns[index]?.align === "right" ? padLeft : padRight)(cell, widths[index] ?? 0);
      })
      .join(gap)
      .trimEnd();
  return [terminal.paint("dim", line(columns.map(({ title }) => title))), ...rows.map(line)].join("\n");
}

/** Which columns are shown: all, or without as many of the optional ones, then of the others, from the right, as it takes. */
function fitting(columns: readonly Column[], widths: readonly number[], most: number): readonly number[] {
  let shown = columns.map((_, index) => index);
  const needed = () =>
    shown.reduce((sum, index, place) => {
      const isLast = place === shown.length - 1;
      const width = widths[index] ?? 0;
      return sum + (isLast ? Math.min(width, leastLast) : width + gap.length);
    }, 0);
  for (const optional of columns.flatMap(({ optional: may }, index) => (may === true ? [index] : [])).reverse()) {
    if (needed() <= most) break;
    shown = shown.filter((index) => index !== optional);
  }
  // Broken lines are worse than a column less.
  while (needed() > most && shown.length > 1) shown = shown.slice(0, -1);
  return shown;
}

function cut(text: string, most: number, { unicode }: Terminal): string {
  const characters = [...text];
  // What carries colours is as long as it looks only without them; it is short, and stays whole.
  if (shownWidth(text) <= most || shownWidth(text) !== characters.length) return text;
  const ellipsis = unicode ? "…" : "...";
  return characters.slice(0, most - ellipsis.length).join("") + ellipsis;
}
