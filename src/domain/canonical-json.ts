export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * One spelling for one value: names sorted by code unit, no spaces. What is hashed is written so, or two programs would
 * give two hashes to the same plan.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalObject(value as { readonly [name: string]: Json });
  // NaN and the infinities would silently become null, and a hash would no longer say what it is of.
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON.`);
  return JSON.stringify(value);
}

function canonicalObject(object: { readonly [name: string]: Json }): string {
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name] ?? null)}`).join(",")}}`;
}
