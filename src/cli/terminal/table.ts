import type { Terminal } from "./terminal.ts";
import { padLeft, padRight, shownWidth } from "./text.ts";

export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
}

const gap = "  ";

/** Columns as wide as what they hold, two spaces apart, no lines: easy to read and to cut with awk. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], { paint }: Terminal): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(shownWidth(title), ...rows.map((row) => shownWidth(row[index] ?? ""))),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align }, index) => (align === "right" ? padLeft : padRight)(cells[index] ?? "", widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  return [paint("dim", line(columns.map(({ title }) => title))), ...rows.map(line)].join("\n");
}
