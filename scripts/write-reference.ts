/**
 * Writes the tables of the documents that the code itself can say best: options, capabilities, commands, exit codes.
 *
 * They stand between `<!-- generated: NAME -->` and `<!-- end -->`; the rest of a page is written by hand. Run it with
 * `npx node scripts/write-reference.ts`; test/docs.test.ts fails while a table is not what this would write.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentPaths } from "../test/documents/pages.ts";
import { root } from "../test/sources.ts";
import { capabilityTable, shortcomingTable, transportTable } from "./reference/capability-tables.ts";
import { commandPages, exitTable, publicCodeTable } from "./reference/cli-pages.ts";
import { endpointRows } from "./reference/endpoint-table.ts";
import { findingTable } from "./reference/finding-table.ts";
import { optionTables } from "./reference/option-tables.ts";

const writers: Readonly<Record<string, () => string>> = {
  options: optionTables,
  capabilities: capabilityTable,
  shortcomings: shortcomingTable,
  transports: transportTable,
  endpoints: endpointRows,
  findings: findingTable,
  commands: commandPages,
  "exit codes": exitTable,
  "public codes": publicCodeTable,
};

const generated = /(<!-- generated: ([\w ]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** A page with its generated parts as they should be now. */
export function withGenerated(text: string): string {
  return text.replace(generated, (_all, opening: string, name: string, closing: string) => {
    const write = writers[name];
    if (write === undefined) throw new Error(`Nothing is generated under the name "${name}".`);
    return `${opening}\n${write()}\n\n${closing}`;
  });
}

if (import.meta.main) {
  for (const path of documentPaths()) {
    const file = join(root, path);
    const [before, after] = [readFileSync(file, "utf8"), withGenerated(readFileSync(file, "utf8"))];
    if (after !== before) writeFileSync(file, after);
  }
}
