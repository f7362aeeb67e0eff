import type { Queries } from "../domain/database.ts";
import { hexOf, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import { type LetterPlace, placesOfLetters, type SequencePlace } from "./sequence-places.ts";
import { sha256Of } from "./sha256.ts";

/** Why the key of a dead letter goes on without it. */
export type ReleaseCause = "dropped" | "compensated" | "expired" | "person";

/** How a release ended; see migrations/0057. */
export type ReleaseEnd = "released" | "gone" | "sent" | "alive" | "elsewhere";

/**
 * Notes, in the transaction of a decision, that the places of these letters are to be released: once for each place, however
 * often that is decided. Committed with the decision, it outlives a crash right behind it.
 */
export async function noteReleases(
  ledger: Ledger,
  transaction: Queries,
  { letters, because }: { readonly letters: readonly Uint8Array[]; readonly because: ReleaseCause },
): Promise<void> {
  await insertReleases(ledger, transaction, await placesOfLetters(ledger, transaction, letters), because);
}

export interface PlaceToRelease extends SequencePlace {
  readonly letter: Uint8Array | null;
}

/**
 * Sorted: two who note the same places wait for each other in one order. A release that ended without a word that the place was
 * released is tried again: its message may be dead by now, or its store known. One that was sent may have been carried out.
 */
export async function insertReleases(
  { at }: Ledger,
  transaction: Queries,
  places: readonly (PlaceToRelease | LetterPlace)[],
  because: ReleaseCause,
): Promise<void> {
  if (places.length === 0) return;
  const rows = places.map((place) => ({ ...place, lane: hexOf(sha256Of(place.key)) }));
  await transaction.query(
    `insert into ${at}.key_releases as r (source, queue, lane, number, key, letter_id, because)
     select source, queue, decode(lane, 'hex'), number, decode(key, 'hex'), letter, $7
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::uuid[]) as p (source, queue, lane, number, key, letter)
     order by source, queue, lane, number on conflict (source, queue, lane, number) do update
       set state = 'pending', because = excluded.because, letter_id = coalesce(excluded.letter_id, r.letter_id),
         tries = case when r.state in ('sent', 'elsewhere') then 1 else 0 end,
         noted_at = ${at}.clock(), due_at = ${at}.clock(), ended_at = null, trouble = null
       where r.state in ('alive', 'gone', 'sent', 'elsewhere')`,
    [
      rows.map(({ source }) => source),
      rows.map(({ queue }) => queue),
      rows.map(({ lane }) => lane),
      rows.map(({ number }) => number),
      rows.map(({ key }) => hexOf(key)),
      rows.map(({ letter }) => (letter === null ? null : uuidOf(letter))),
      because,
    ],
  );
}

/** The letters are open again. What nobody has tried to release by now keeps its place. */
export async function withdrawReleases(
  { at }: Ledger,
  transaction: Queries,
  letters: readonly Uint8Array[],
): Promise<void> {
  await transaction.query(
    `delete from ${at}.key_releases where letter_id = any ($1::uuid[]) and state = 'pending' and tries = 0`,
    [letters.map(uuidOf)],
  );
}

const mine = "source = $1 and queue = $2 and lane = $3 and number = $4::bigint";

function valuesOf({ source, queue, key, number }: SequencePlace): readonly unknown[] {
  return [source, queue, Buffer.from(sha256Of(key)), number];
}

/** What the release came to; false where that was known before. */
export async function endRelease(
  { at }: Ledger,
  queries: Queries,
  place: SequencePlace,
  end: ReleaseEnd,
): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.key_releases set state = $5, ended_at = ${at}.clock(), trouble = null where ${mine} and state = 'pending'`,
    [...valuesOf(place), end],
  );
  return count === 1;
}

/** Releases that failed and are tried again: how many, and why the one failed that waits longest. */
export async function readReleaseTroubles({
  database,
  at,
}: Ledger): Promise<{ readonly n: number; readonly first: string | null }> {
  const { rows } = await database.query<{ n: number; first: string | null }>(
    `select count(*)::integer as n, (array_agg(trouble order by noted_at))[1] as first
     from ${at}.key_releases where state = 'pending' and trouble is not null`,
  );
  return rows[0] ?? { n: 0, first: null };
}

/** Forgets releases that ended before then and whose letters are gone: of a letter that is there, a place would be released once more. */
export async function forgetReleases({ at }: Ledger, queries: Queries, endedBefore: number): Promise<void> {
  await queries.query(
    `delete from ${at}.key_releases where ended_at < to_timestamp($1::float8 / 1000) and (letter_id is null or letter_id < coalesce(
       (select ${at}.first_id_at(min(week)::timestamp at time zone 'UTC') from ${at}.weeks_before('infinity') as week),
       'ffffffff-ffff-ffff-ffff-ffffffffffff'))`,
    [endedBefore],
  );
}
