/** What makes two failures the same failure. */
export interface FailureParts {
  readonly errorClass: string;
  readonly queue: string;
  readonly handler: string;
  /** As `payloadShape` gives it; left out where payloads are not to be told apart. */
  readonly shape?: string;
}

/** A short name for a way of failing: the same parts give the same name, in every process. */
export function failureSignature({ errorClass, queue, handler, shape = "" }: FailureParts): string {
  return shortHash([errorClass, queue, handler, shape].join("\u0000"));
}

/** 48 bits of two FNV-1a lanes, as 12 hex digits: to recognise, not to protect. */
export function shortHash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x2f0b4a27;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x01000193) + (low >>> 15);
  }
  return hex(low).slice(0, 8) + hex(high ^ (high >>> 16)).slice(4);
}

const hex = (bits: number) => (bits >>> 0).toString(16).padStart(8, "0");

/** Beyond these a shape is cut: what tells payloads apart is near the top. */
const shapeCaps = { depth: 6, keys: 64, elements: 8, characters: 4_096 };

/**
 * The skeleton of a payload: keys and types, no values, so that it may be stored and two orders look alike.
 *
 * Keys come sorted; those that are ids (numbers, UUIDs, long hex) are written `*`, so that a map from id to thing has one
 * shape. It never throws, whatever the payload's getters do.
 */
export function payloadShape(payload: unknown): string {
  try {
    return shapeOf(payload, shapeCaps.depth).slice(0, shapeCaps.characters);
  } catch {
    return "unreadable";
  }
}

function shapeOf(value: unknown, depth: number): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Date) return "date";
  if (depth === 0) return "…";
  if (Array.isArray(value)) return `[${distinct(value.slice(0, shapeCaps.elements), depth).join("|")}]`;
  return `{${fields(value, depth).join(",")}}`;
}

function distinct(elements: readonly unknown[], depth: number): string[] {
  return [...new Set(elements.map((element) => shapeOf(element, depth - 1)))].sort();
}

function fields(value: object, depth: number): string[] {
  const entries = Object.keys(value).slice(0, shapeCaps.keys);
  const shapes = entries.map(
    (key) => `${fieldName(key)}:${shapeOf((value as Record<string, unknown>)[key], depth - 1)}`,
  );
  return [...new Set(shapes)].sort();
}

function fieldName(key: string): string {
  return key.length > 64 || /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,})$/i.test(key) ? "*" : key;
}
