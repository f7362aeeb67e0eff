import type { Category } from "../../domain/classification.ts";

/** What the keys of a part of a table are: codes, class names, pieces of messages … */
export type RowKind = "code" | "class" | "message" | "prefix" | "label" | "reason" | "type";

/** What one code, class or text means for a consumer. */
export interface Row {
  readonly system: string;
  readonly kind: RowKind;
  readonly key: string;
  /** What the system calls it, or a few words about it. */
  readonly label: string | null;
  /** Null: it alone does not decide, such as a wrapper around a cause. */
  readonly category: Category | null;
  readonly confidence: number;
  /** If the failing call was a write, it may have been applied. */
  readonly uncertain: boolean;
}

const letters: Readonly<Record<string, Category>> = {
  t: "transient",
  s: "schema_mismatch",
  b: "business_rule",
  p: "poison",
  l: "lost_context",
  u: "unknown",
};

const kinds: readonly RowKind[] = ["code", "class", "message", "prefix", "label", "reason", "type"];

/**
 * Reads a table in the notation of this folder:
 *
 * - `# postgres code` begins a part: who speaks, and what the keys are.
 * - `t95? 08006=connection_failure | 08007` says transient, 95 % sure, and `?` that a write may have been applied; then
 *   keys, each with a label after `=` if it has one. Indented lines go on.
 * - `- ` in place of a verdict: these alone decide nothing.
 */
export function readTable(text: string): Row[] {
  const rows: Row[] = [];
  let part = { system: "", kind: "code" as RowKind };
  for (const line of text.replaceAll(/ \|\n {3}/g, " | ").split("\n")) {
    if (line.startsWith("# ")) part = readPart(line);
    else if (line !== "") rows.push(...readLine(line, part.system, part.kind));
  }
  return rows;
}

function readPart(line: string): { readonly system: string; readonly kind: RowKind } {
  const [, system = "", word] = line.split(" ");
  const kind = kinds.find((known) => known === word);
  if (kind === undefined) throw new TypeError(`A part of a knowledge table has no such kind: ${line}`);
  return { system, kind };
}

function readLine(line: string, system: string, kind: RowKind): Row[] {
  const [, verdict = "", keys = ""] = /^(-|[tsbplu]\d\d\??) (.+)$/.exec(line) ?? [];
  if (verdict === "") throw new TypeError(`A line of a knowledge table has no verdict: ${line}`);
  const category = letters[verdict.charAt(0)] ?? null;
  const confidence = category === null ? 0 : Number(verdict.slice(1, 3)) / 100;
  const uncertain = verdict.endsWith("?");
  return keys.split(" | ").map((entry) => ({ system, kind, ...keyOf(entry, kind), category, confidence, uncertain }));
}

/** Pieces of messages have no labels: an equals sign may be part of them. */
function keyOf(entry: string, kind: RowKind): { readonly key: string; readonly label: string | null } {
  const at = kind === "message" ? -1 : entry.indexOf("=", 1);
  return at === -1 ? { key: entry, label: null } : { key: entry.slice(0, at), label: entry.slice(at + 1) };
}
