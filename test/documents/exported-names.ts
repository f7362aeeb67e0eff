import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSource, root } from "../sources.ts";

/** The names that a door exports, types too, sorted. Doors re-export by name and nothing else. */
export function exportedNames(path: string): string[] {
  const { module } = parseSource(path, readFileSync(join(root, path), "utf8"));
  const names = module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name ?? "*"));
  return names.sort();
}
