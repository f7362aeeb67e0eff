import { existsSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

import { root } from "../sources.ts";

/** Sources behind the names that a service imports, by those names. */
export const doors: ReadonlyMap<string, string> = new Map(
  Object.entries(manifest.exports).flatMap(([door, target]): [string, string][] =>
    typeof target === "string"
      ? []
      : [[door.replace(/^\./, manifest.name), target.default.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")]],
  ),
);

/** Those a service imports from. The command line is a program, and a door without a source is not open yet. */
export function existingDoors(): ReadonlyMap<string, string> {
  const isOpen = ([name, source]: [string, string]) => !name.endsWith("/cli") && existsSync(join(root, source));
  return new Map([...doors].filter(isOpen));
}
