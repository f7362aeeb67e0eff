import { type Header, textHeader } from "./message.ts";

/** A header that an edit puts in the place of all of its name; a value of null: it goes without. */
export interface HeaderChange {
  readonly name: string;
  readonly value: string | null;
  /**
   * How often it was written in the place of what is masked: the same written again must look like any other value, or
   * whoever may not see it could guess.
   */
  readonly times?: number;
}

/** A header that an edit gives back as it came, its type and its bytes: those of many cannot be typed, or not be seen. */
export interface HeaderRestored {
  readonly name: string;
  readonly restore: true;
}

/** Headers as an edit leaves them. Those it does not name keep their place, their type and their bytes. */
export function withHeaderChanges(
  headers: readonly Header[],
  changes: readonly HeaderChange[] | null,
): readonly Header[] {
  const left = new Map((changes ?? []).map(({ name, value }) => [name, value]));
  const named = new Set(left.keys());
  const kept = headers.flatMap((header) => {
    if (!named.has(header.name)) return [header];
    const value = left.get(header.name) ?? null;
    // One stands for all of that name, where the first of them was.
    left.delete(header.name);
    return value === null ? [] : [textHeader(header.name, value)];
  });
  const added = [...left].flatMap(([name, value]) => (value === null ? [] : [textHeader(name, value)]));
  return [...kept, ...added];
}
