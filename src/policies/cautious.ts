/**
 * Reading of things that strangers made: thrown values may be proxies, have getters that throw, or be enormous. Nothing
 * here throws.
 */

/** The property, or undefined if there is none or it cannot be read. */
export function peek(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

export function peekText(value: unknown, name: string): string | undefined {
  const found = peek(value, name);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** Up to `most` elements of what may be a list. */
export function peekList(value: unknown, name: string, most: number): unknown[] {
  try {
    const list = peek(value, name);
    return Array.isArray(list) ? list.slice(0, most) : [];
  } catch {
    return [];
  }
}

/** Calls a method of a stranger's. Undefined if it is none, or if it throws. */
export function ask(value: unknown, method: string, argument?: string): unknown {
  try {
    const found = peek(value, method);
    return typeof found === "function" ? Reflect.apply(found, value, [argument]) : undefined;
  } catch {
    return undefined;
  }
}

/** Own names of an object, a few. */
export function peekNames(value: unknown, most: number): string[] {
  try {
    return typeof value === "object" && value !== null ? Object.keys(value).slice(0, most) : [];
  } catch {
    return [];
  }
}

/** At most `characters`, never half a surrogate pair, and it shows that something is missing. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const cut = text.slice(0, characters - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
