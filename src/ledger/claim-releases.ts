import type { Queries } from "../domain/database.ts";
import { hexOf, idOfUuid } from "../domain/ids.ts";
import type { PlaceToRelease, ReleaseCause, ReleaseEnd } from "./key-releases.ts";
import type { Ledger } from "./ledger.ts";
import type { SequencePlace } from "./sequence-places.ts";
import { sha256Of } from "./sha256.ts";

/** A release that this process carries out, until its lease lapses. */
export interface ClaimedRelease extends PlaceToRelease {
  readonly because: ReleaseCause;
  /** This one included. */
  readonly tries: number;
}

interface Row {
  readonly source: string;
  readonly queue: string;
  readonly number: string;
  readonly key: Uint8Array;
  readonly letter_id: string | null;
  readonly because: ReleaseCause;
  readonly tries: number;
}

const columns = "r.source, r.queue, r.number, r.key, r.letter_id, r.because, r.tries";

function claimedOf({ number, letter_id: letter, ...row }: Row): ClaimedRelease {
  return { ...row, number: Number(number), letter: letter === null ? null : idOfUuid(letter) };
}

/** Takes one release, due or not; null where it has ended, or was never noted. */
export async function claimRelease(
  { database, at }: Ledger,
  { source, queue, key, number }: SequencePlace,
  { leaseMs }: { readonly leaseMs: number },
): Promise<ClaimedRelease | null> {
  const { rows } = await database.query<Row>(
    `update ${at}.key_releases r set tries = r.tries + 1, due_at = ${at}.clock() + $5::float8 * interval '1 ms'
     where source = $1 and queue = $2 and lane = $3 and number = $4::bigint and state = 'pending' returning ${columns}`,
    [source, queue, Buffer.from(sha256Of(key)), number, leaseMs],
  );
  return rows[0] === undefined ? null : claimedOf(rows[0]);
}

/** Sources of which releases are due. */
export async function sourcesWithReleases({ database, at }: Ledger): Promise<readonly string[]> {
  const pending = `select r.source from ${at}.key_releases r where r.state = 'pending'`;
  const { rows } = await database.query<{ source: string }>(
    `with recursive s (source) as (
       (${pending} order by r.source limit 1)
       union all
       select (${pending} and r.source > s.source order by r.source limit 1) from s where s.source is not null
     )
     select source from s where source is not null
       and exists (${pending} and r.source = s.source and r.due_at <= ${at}.clock())`,
  );
  return rows.map(({ source }) => source);
}

/** Takes releases of a source that are due. Another process takes those whose lease lapses before they end. */
export async function claimReleases(
  { database, at }: Ledger,
  source: string,
  { atMost, leaseMs }: { readonly atMost: number; readonly leaseMs: number },
): Promise<readonly ClaimedRelease[]> {
  const { rows } = await database.query<Row>(
    `update ${at}.key_releases r set tries = r.tries + 1, due_at = ${at}.clock() + $2::float8 * interval '1 ms'
     from (
       select queue, lane, number from ${at}.key_releases
       where state = 'pending' and source = $3 and due_at <= ${at}.clock() order by due_at limit $1 for update skip locked
     ) d
     where r.source = $3 and (r.queue, r.lane, r.number) = (d.queue, d.lane, d.number)
     returning ${columns}`,
    [atMost, leaseMs, source],
  );
  return rows.map(claimedOf);
}

/** Locks those of these places whose release is pending, in the order in which all others lock them. */
function pendingAmong(at: string): string {
  return `with p as materialized (
      select r.source, r.queue, r.lane, r.number, p.n
      from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) with ordinality as p (source, queue, lane, number, n)
      join ${at}.key_releases r on r.source = p.source and r.queue = p.queue and r.lane = decode(p.lane, 'hex') and r.number = p.number
      where r.state = 'pending' order by r.source, r.queue, r.lane, r.number for update of r
    )`;
}

const isPending = "(r.source, r.queue, r.lane, r.number) = (p.source, p.queue, p.lane, p.number)";

function columnsOf(places: readonly SequencePlace[]): readonly unknown[] {
  return [
    places.map(({ source }) => source),
    places.map(({ queue }) => queue),
    places.map(({ key }) => hexOf(sha256Of(key))),
    places.map(({ number }) => number),
  ];
}

/** What these releases came to. Gives those of which that was not known before. */
export async function endReleases<Place extends SequencePlace>(
  { at }: Ledger,
  queries: Queries,
  places: readonly Place[],
  end: ReleaseEnd,
): Promise<readonly Place[]> {
  const { rows } = await queries.query<{ n: number }>(
    `${pendingAmong(at)} update ${at}.key_releases r set state = $5, ended_at = ${at}.clock(), trouble = null
     from p where ${isPending} returning p.n::integer as n`,
    [...columnsOf(places), end],
  );
  const news = new Set(rows.map(({ n }) => n - 1));
  return places.filter((_, index) => news.has(index));
}

interface PutOff {
  readonly place: SequencePlace;
  readonly trouble: string;
  readonly waitMs: number;
}

/** They could not be done now. */
export async function postponeReleases({ database, at }: Ledger, all: readonly PutOff[]): Promise<void> {
  if (all.length === 0) return;
  await database.query(
    `${pendingAmong(at)} update ${at}.key_releases r
     set due_at = ${at}.clock() + ($6::float8[])[p.n] * interval '1 ms', trouble = ($5::text[])[p.n] from p where ${isPending}`,
    [...columnsOf(all.map(({ place }) => place)), all.map(({ trouble }) => trouble), all.map(({ waitMs }) => waitMs)],
  );
}

/** All that is due of a source, or of one queue of it, would fail as another just did. Nobody has tried it. */
export async function putOffReleases(
  { database, at }: Ledger,
  { source, queue }: { readonly source: string; readonly queue: string | null },
  { trouble, waitMs }: Omit<PutOff, "place">,
): Promise<void> {
  await database.query(
    `update ${at}.key_releases r set due_at = ${at}.clock() + $4::float8 * interval '1 ms', trouble = $3
     from (
       select queue, lane, number from ${at}.key_releases
       where state = 'pending' and source = $1 and ($2::text is null or queue = $2) and due_at <= ${at}.clock()
       for update skip locked
     ) d
     where r.source = $1 and (r.queue, r.lane, r.number) = (d.queue, d.lane, d.number)`,
    [source, queue, trouble, waitMs],
  );
}
