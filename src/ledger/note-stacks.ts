import type { Queries } from "../domain/database.ts";
import { hexOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import { stackId } from "./letter-rows.ts";
import type { NewLetter } from "./new-letter.ts";

const weekMs = 604_800_000;

interface Stack {
  readonly id: string;
  readonly week: string;
  readonly text: string;
}

/** Stores each stack once a week: thousands of letters share a handful. Gives what remembers them once committed. */
export async function noteStacks(
  { at, seen }: Ledger,
  transaction: Queries,
  letters: readonly NewLetter[],
): Promise<() => void> {
  const fresh = new Map<string, Stack>();
  for (const { error, times } of letters) {
    if (error.stack === null) continue;
    const stack = { id: hexOf(stackId(error.stack)), week: weekOf(times.arrivedAt), text: error.stack };
    const name = `stack ${stack.week} ${stack.id}`;
    if (!seen.has(name)) fresh.set(name, stack);
  }
  const sorted = [...fresh].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, stack]) => stack);
  if (sorted.length > 0) {
    await transaction.query(
      `insert into ${at}.stacks (week, id, stack)
       select s.week, decode(s.id, 'hex'), s.stack from unnest($1::date[], $2::text[], $3::text[]) as s (week, id, stack)
       on conflict do nothing`,
      [
        sorted.map(({ week }) => week),
        sorted.map(({ id }) => id),
        sorted.map(({ text }) => text.replaceAll("\0", "\u2400")),
      ],
    );
  }
  return () => seen.add([...fresh.keys()]);
}

/** The first day of its week, as partitions count weeks. */
function weekOf(time: number): string {
  return new Date(Math.floor(time / weekMs) * weekMs).toISOString().slice(0, 10);
}
