import type { Scale } from "./scale.ts";
import type { Terminal } from "./terminal.ts";
import { showNumber } from "./units.ts";

export interface Axis {
  readonly scale: Scale;
  /** Written once, after the last number. */
  readonly unit: string;
  readonly columns: number;
  /** Where the corner stands. */
  readonly indent: number;
  /** A stretch drawn thick. */
  readonly span?: { readonly from: number; readonly to: number } | undefined;
}

/** The line under a drawing, and its numbers under that. */
export function axisLines({ scale, unit, columns, indent, span }: Axis, { unicode }: Terminal): string[] {
  const columnOf = (value: number) => Math.round(scale.place(value) * (columns - 1));
  const [corner, thin, thick, tick] = unicode ? ["└", "─", "━", "┴"] : ["+", "-", "=", "+"];
  const ruler = new Array<string>(columns).fill(thin);
  for (const value of scale.ticks) ruler[columnOf(value)] = tick;
  if (span !== undefined) ruler.fill(thick, columnOf(span.from), columnOf(span.to) + 1);
  const margin = " ".repeat(indent);
  return [`${margin}${corner}${ruler.join("")}`, `${margin} ${numbersUnder({ scale, unit, columns }, columnOf)}`];
}

type Numbers = Pick<Axis, "scale" | "unit" | "columns">;

/** Each number begins under its tick, unless it would end beyond the axis; one that runs into the one before is left out. */
function numbersUnder({ scale, unit, columns }: Numbers, columnOf: (value: number) => number): string {
  let line = "";
  for (const [index, value] of scale.ticks.entries()) {
    const text = showNumber(value, 3) + (index === scale.ticks.length - 1 ? ` ${unit}` : "");
    const start = Math.max(0, Math.min(columnOf(value), columns - text.length));
    if (line === "" || start > line.length) line = line.padEnd(start) + text;
  }
  return line;
}
