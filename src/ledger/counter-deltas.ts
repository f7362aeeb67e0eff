import { uuidOf } from "../domain/ids.ts";
import type { NewLetter } from "./new-letter.ts";
import { groupIdOf } from "./note-groups.ts";

/** One change of counters for each group and category among these letters, as the columns of an `unnest`. */
export function deltaValues(taken: readonly NewLetter[]): readonly (readonly unknown[])[] {
  const deltas = new Map<string, { readonly letter: NewLetter; readonly group: string; n: number }>();
  for (const letter of taken) {
    const group = uuidOf(groupIdOf(letter));
    const name = `${group} ${letter.classification.category}`;
    const known = deltas.get(name);
    if (known === undefined) deltas.set(name, { letter, group, n: 1 });
    else known.n += 1;
  }
  const all = [...deltas.values()];
  return [
    all.map(({ group }) => group),
    all.map(({ letter }) => letter.source),
    all.map(({ letter }) => letter.queue),
    all.map(({ letter }) => letter.classification.category),
    all.map(({ n }) => n),
    all.map(({ letter }) => new Date(letter.times.arrivedAt).toISOString()),
  ];
}
