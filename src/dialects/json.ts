/**
 * Reading JSON of strangers: nothing throws, nothing is taken from a prototype, and an integer too large for a double
 * is a bigint with all its digits.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** Larger texts are left alone: a body of that size is content, not an envelope, and parsing it would hold up the rest. */
const maxLength = 16 * 1024 * 1024;

/** Undefined when it is not JSON. */
function parseJson(text: string): Json | undefined {
  if (text.length > maxLength) return undefined;
  try {
    return parseJsonOrThrow(text);
  } catch {
    return undefined;
  }
}

export function parseJsonOrThrow(text: string): Json {
  return hasLongDigits(text) ? (JSON.parse(text, keepDigits) as Json) : (JSON.parse(text) as Json);
}

/** Integers of fewer digits than this fit into a double. */
const long = 16;

/**
 * Whether an integer of more digits than a double holds may be in it. Looks at every sixteenth character and, where that is a
 * digit, around it: whatever is so long has one of them.
 */
function hasLongDigits(text: string): boolean {
  for (let at = long - 1; at < text.length; at += long) {
    let start = at;
    while (isDigit(text.charCodeAt(start))) start--;
    let end = at + 1;
    while (start < at && isDigit(text.charCodeAt(end))) end++;
    if (end - start > long) return true;
  }
  return false;
}

const isDigit = (code: number) => code >= 48 && code <= 57;

/** An object or a list; undefined for anything else, without the cost of parsing what cannot be one. */
export function parseContainer(text: string): Json | undefined {
  const first = text.charCodeAt(firstVisible(text));
  return first === 0x7b || first === 0x5b ? parseJson(text) : undefined;
}

function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && source.length <= 40 && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

function firstVisible(text: string): number {
  let at = 0;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of an object, by the path of names; undefined when there is none. */
export function member(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let at = value;
  for (const name of path) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** `Array.isArray` alone does not tell a readonly list from the rest of the union. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Text, or a number written as text. */
export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "bigint" ? String(value) : undefined;
}

/** A whole number of at least 0, also where it is written as text. */
export function countOf(value: Json | undefined): number | undefined {
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** JSON with the digits of large integers in place. */
export function jsonText(value: Json): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "bigint" ? (JSON as RawJson).rawJSON(String(inner)) : inner,
  );
}

/** In every Node that we run on; not yet in the compiler's library. */
type RawJson = typeof JSON & { rawJSON(text: string): unknown };
