import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import { placesOfLetters } from "./sequence-places.ts";

/**
 * Letters whose latest place was released, or is being released, in hexadecimal digits. One that failed again behind the others
 * of its key has a new place. Where the message was not dead, or its store had no such place, nothing was released.
 */
export async function releasedLetters(ledger: Ledger, letters: readonly Uint8Array[]): Promise<ReadonlySet<string>> {
  const { rows } = await ledger.database.query<{ id: string; number: string }>(
    `select letter_id as id, max(number) as number from ${ledger.at}.key_releases
     where letter_id = any ($1::uuid[]) and state not in ('alive', 'gone') group by 1`,
    [letters.map(uuidOf)],
  );
  const latest = new Map<string, number>();
  const ids = rows.map(({ id }) => idOfUuid(id));
  for (const { letter, number } of ids.length === 0 ? [] : await placesOfLetters(ledger, ledger.database, ids))
    latest.set(hexOf(letter), Math.max(number, latest.get(hexOf(letter)) ?? 0));
  const released = rows.filter(({ id, number }) => Number(number) >= (latest.get(hexOf(idOfUuid(id))) ?? 0));
  return new Set(released.map(({ id }) => hexOf(idOfUuid(id))));
}
