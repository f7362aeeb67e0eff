/** A table of Markdown; cells may hold anything on one line. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeBars).join(" | ")} |`;
  return [line(titles), `|${"---|".repeat(titles.length)}`, ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** A bar would end the cell, in code as well. */
function escapeBars(cell: string): string {
  return cell.replaceAll("|", "\\|");
}
