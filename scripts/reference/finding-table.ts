import { checks } from "../../src/wiring/examine.ts";
import { code, table } from "./markdown-table.ts";

/** What `dlo doctor` can find, from the table that it goes by. */
export function findingTable(): string {
  return table(
    ["code", "severity", "what it means"],
    checks.map((check) => [code(check.code), check.severity, check.about]),
  );
}
