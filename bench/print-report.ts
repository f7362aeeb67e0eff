import type { Report, Suite } from "./suite.ts";

/** The report as a table for people. */
export function printReport(suite: Suite, { variants, ratios }: Report): string {
  const hasCpu = variants.some(({ cpuMicros }) => cpuMicros !== undefined);
  const figures = variants.map(({ name, median, min, max, cpuMicros = "" }) =>
    [name, median, min, max, ...(hasCpu ? [cpuMicros] : [])].map(String),
  );
  const judged = ratios.map(({ name, value, met }, index) => [
    name,
    String(value),
    `${suite.ratios[index]?.is} ${suite.ratios[index]?.goal}`,
    met ? "met" : "missed",
  ]);
  const tables = [
    table([[suite.unit, "median", "min", "max", ...(hasCpu ? ["µs CPU/message"] : [])], ...figures]),
    table([["ratio", "value", "goal", ""], ...judged]),
  ];
  return `${suite.about}\nMedians of ${suite.rounds} interleaved samples.\n\n${tables.join("\n")}`;
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)));
  return rows.map((row) => `${line(row).join("  ").trimEnd()}\n`).join("");
}
