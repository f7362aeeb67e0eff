import type { Queries } from "../domain/database.ts";
import { hexOf, uuidOf } from "../domain/ids.ts";
import type { DrainSession } from "./drain-session.ts";
import type { Ledger } from "./ledger.ts";
import type { NewLetter } from "./new-letter.ts";

const keyBytes = 32;
const nothing = Buffer.alloc(keyBytes);

interface KeyOwners {
  /** The drain they came by. */
  readonly session: DrainSession | null;
  /** The letter that such a message is: one that came back is not a new one. */
  readonly letterIdOf: (letter: NewLetter) => Uint8Array;
}

/**
 * Writes down what tells these letters from all others, and gives those that nobody had before. Sorted, so that two who do
 * this at once wait for each other in one order. All keys travel as one value: arrays of bytes would travel as text.
 */
export async function insertKeys(
  { at }: Ledger,
  transaction: Queries,
  letters: readonly NewLetter[],
  { session, letterIdOf }: KeyOwners,
): Promise<ReadonlySet<NewLetter>> {
  const byKey = new Map<string, NewLetter>();
  for (const letter of letters) {
    const key = hexOf(letter.identity.key);
    // The same position twice in one batch: the first is the letter.
    if (!byKey.has(key)) byKey.set(key, letter);
  }
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, letter]) => letter);
  if (sorted.length === 0) return new Set();
  const { rows } = await transaction.query<{ keys: Uint8Array | null }>(
    `with added as (
       insert into ${at}.letter_keys (key, letter_id, digest, session_id)
       select substr($1::bytea, i * 32 + 1, 32), encode(substr($2::bytea, i * 16 + 1, 16), 'hex')::uuid,
         nullif(substr($3::bytea, i * 32 + 1, 32), $5::bytea), $4::uuid
       from generate_series(0, $6::integer - 1) as i
       on conflict (key) do nothing returning key
     )
     select case when count(*) < $6::integer then coalesce(string_agg(key, ''), '') end as keys from added`,
    [
      Buffer.concat(sorted.map(({ identity }) => identity.key)),
      Buffer.concat(sorted.map(letterIdOf)),
      Buffer.concat(sorted.map(({ identity }) => (identity.kind === "delivery" ? identity.digest : nothing))),
      session === null ? null : uuidOf(session.id),
      nothing,
      sorted.length,
    ],
  );
  const added = rows[0]?.keys ?? null;
  // Mostly all are new, and then no key has to travel back.
  return new Set(added === null ? sorted : keysIn(added).flatMap((key) => byKey.get(key) ?? []));
}

function keysIn(keys: Uint8Array): readonly string[] {
  return Array.from({ length: keys.byteLength / keyBytes }, (_, n) =>
    hexOf(keys.subarray(n * keyBytes, (n + 1) * keyBytes)),
  );
}

/** A letter of a broker that has no positions. */
export interface DeliveredLetter {
  readonly letter: Uint8Array;
  readonly digest: Uint8Array;
}

/** False where no drain had it: it came from a file. */
export async function cameByDrain(
  { at }: Ledger,
  queries: Queries,
  { letter, digest }: DeliveredLetter,
): Promise<boolean> {
  const { count } = await queries.query(`select from ${at}.letter_keys where digest = $1 and letter_id = $2 limit 1`, [
    Buffer.from(digest),
    uuidOf(letter),
  ]);
  return count > 0;
}

/**
 * This letter is about to lie in its queue again. What is given out there a second time is from now on no second delivery of it,
 * which would be acknowledged as known, and lost: it is a letter that comes anew.
 */
export async function partFromDelivery(
  { at }: Ledger,
  transaction: Queries,
  { letter, digest }: DeliveredLetter,
): Promise<void> {
  await transaction.query(`update ${at}.letter_keys set session_id = null where digest = $1 and letter_id = $2`, [
    Buffer.from(digest),
    uuidOf(letter),
  ]);
}
