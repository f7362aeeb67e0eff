import type { Category } from "../../domain/classification.ts";
import { memo } from "../../domain/memo.ts";
import { type Row, readTable } from "./read-table.ts";
import { systemLanguages } from "./systems.ts";
import { tables } from "./tables.ts";

/** A row, and how far it may be trusted here: less where only part of a name fits. */
export interface Match {
  readonly row: Row & { readonly category: Category };
  readonly trust: number;
}

/** What is known of a name: undefined where that is nothing. */
type Found = Match | "decides nothing" | undefined;

/** All tables, by what one looks up. */
export interface Knowledge {
  /** Pieces of messages, for the scanner. */
  readonly messages: readonly Row[];
  /** What is known of an error class; `decides` is false where it is known to decide nothing. */
  findClass(name: string, language: string | null): Found;
  /** What is known of a code, in the systems that the rest of the evidence speaks of. */
  findCode(code: string, systems: ReadonlySet<string>): Found;
}

export function buildKnowledge(): Knowledge {
  const rows = tables.flatMap(readTable);
  const classes = rows.filter(({ kind }) => kind === "class");
  const byName = indexBy(classes, ({ key }) => [key]);
  const byLastName = indexBy(classes, ({ key }) => [lastName(key)]);
  const byCode = indexBy(
    rows.filter(({ kind }) => kind !== "class" && kind !== "message" && kind !== "prefix"),
    codeKeys,
  );
  const prefixes = indexBy(
    rows.filter(({ kind }) => kind === "prefix"),
    ({ key }) => [key],
  );
  const meaningOfClass = memo((name) => {
    const [named, alike] = [byName.get(name), byLastName.get(lastName(name))];
    return memo((language) => ({
      found: ofLanguage(named, language || null, 0.97) ?? ofLanguage(alike, language || null, 0.9),
    }));
  });
  const rowsOfCode = memo((code) => byCode.get(plainCode(code)) ?? none);
  return {
    messages: rows.filter(({ kind }) => kind === "message"),
    findClass: (name, language) => meaningOfClass(name)(language ?? "").found,
    findCode: (code, systems) => findCode(code, systems, rowsOfCode) ?? findState(code, systems, prefixes),
  };
}

const none: readonly Row[] = [];

function indexBy(rows: readonly Row[], keysOf: (row: Row) => readonly string[]): ReadonlyMap<string, readonly Row[]> {
  const index = new Map<string, Row[]>();
  for (const row of rows)
    for (const key of new Set(keysOf(row))) {
      const known = index.get(key);
      if (known === undefined) index.set(key, [row]);
      else known.push(row);
    }
  return index;
}

/** A name without its package, module or outer class: `java.net.ConnectException` is `ConnectException`. */
export function lastName(name: string): string {
  const at = Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf("\\"), name.lastIndexOf("$"));
  return name.slice(at + 1).replace(/^\*/, "");
}

/** Codes are spelt many ways: `NOT_FOUND`, `not-found` and `NotFound` are one. */
function plainCode(code: string): string {
  return code.replaceAll(/[^A-Za-z0-9-]|(?<!^)-/g, "").toLowerCase();
}

function codeKeys({ key, label }: Row): string[] {
  const named = label !== null && /^[\w-]{4,}$/.test(label) && /[A-Za-z]/.test(label);
  return named ? [plainCode(key), plainCode(label)] : [plainCode(key)];
}

function ofLanguage(rows: readonly Row[] | undefined, language: string | null, trust: number): Found {
  if (rows === undefined) return undefined;
  const own = rows.filter(({ system }) => language !== null && systemLanguages[system]?.includes(language));
  if (own.length > 0) return agreed(own, trust);
  const others = rows.filter(
    ({ system, key }) => systemLanguages[system] === undefined || language === null || isCompound(key),
  );
  return others.length > 0 ? agreed(others, trust * 0.93) : undefined;
}

/** `Error` and `KeyError` mean something else in every language; `UniqueConstraintViolation` does not. */
function isCompound(name: string): boolean {
  return (
    (lastName(name)
      .replace(/(Error|Exception)$/, "")
      .match(/[A-Z][a-z]+/g)?.length ?? 0) >= 2
  );
}

/** What rows say together: nothing where they contradict each other. */
function agreed(rows: readonly Row[], trust: number): Found {
  const deciding = rows.filter(decides);
  const [first] = deciding;
  if (first === undefined) return "decides nothing";
  if (rows.some(({ category }) => category !== first.category)) return undefined;
  const least = deciding.reduce((a, b) => (b.confidence < a.confidence ? b : a));
  return { row: least, trust };
}

function decides(row: Row): row is Row & { readonly category: Category } {
  return row.category !== null;
}

function findCode(code: string, systems: ReadonlySet<string>, rowsOf: (code: string) => readonly Row[]): Found {
  const rows = rowsOf(oracleSpelling(code, systems));
  if (rows.length === 0) return undefined;
  const spoken = rows.filter(({ system }) => systems.has(system));
  if (spoken.length > 0) return agreed(spoken, 1) ?? agreed(spoken.slice(0, 1), 0.8);
  if (isState(code) && /\d/.test(code)) {
    const states = rows.filter(({ system }) => system === "postgres" || system === "sqlstate");
    if (states.length > 0) return agreed(states, 0.95);
  }
  return isTelling(code) ? agreed(rows, 0.92) : undefined;
}

function oracleSpelling(code: string, systems: ReadonlySet<string>): string {
  return systems.has("oracle") && /^\d{1,5}$/.test(code) ? `ORA-${code.padStart(5, "0")}` : code;
}

/** Whether a code means one thing whoever says it: bare numbers and short words do not. */
function isTelling(code: string): boolean {
  return code.length >= 4 && /[A-Za-z]/.test(code) && !/^[a-z]{4,6}$/.test(code);
}

const isState = (code: string) => /^[0-9A-Z]{5}$/.test(code);
const databases = ["postgres", "mysql", "oracle", "sqlserver", "db2", "h2", "derby", "hsqldb", "hana"];

/** The first two characters of a SQLSTATE mean the same in every database. */
function findState(
  code: string,
  systems: ReadonlySet<string>,
  prefixes: ReadonlyMap<string, readonly Row[]>,
): Match | undefined {
  if (!isState(code) || !databases.some((system) => systems.has(system))) return undefined;
  const found = agreed(prefixes.get(code.slice(0, 2)) ?? [], 0.8);
  return typeof found === "object" ? found : undefined;
}
