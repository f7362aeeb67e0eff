import type { Queries } from "../domain/database.ts";
import { hexOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import type { PlacedLetter } from "./place-letters.ts";

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
  placed: readonly PlacedLetter[],
): Promise<() => void> {
  const fresh = new Map<string, Stack>();
  const known = new Map<Uint8Array, number>();
  for (const { letter, stackId } of placed) {
    const week = Math.floor(letter.times.arrivedAt / weekMs);
    if (stackId === null || known.get(stackId) === week) continue;
    known.set(stackId, week);
    const stack = { id: hexOf(stackId), week: firstDayOf(week), text: letter.error.stack ?? "" };
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

/** Weeks are counted as partitions count them. */
function firstDayOf(week: number): string {
  return new Date(week * weekMs).toISOString().slice(0, 10);
}
