import type { Queries } from "../domain/database.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import { groupIdOf } from "./place-letters.ts";

/** How far the letters of the ledger have followed the changes of groups. */
export interface RegroupingState {
  /** The latest change. */
  readonly version: number;
  /** Every letter stands where the changes up to this one want it. */
  readonly placedVersion: number;
  readonly disturbances: string;
  /** Transactions from this one on had not begun. */
  readonly nextTransaction: bigint;
  /** The oldest transaction that is under way, or the next. */
  readonly oldestTransaction: bigint;
}

export async function readRegrouping({ database, at }: Ledger): Promise<RegroupingState> {
  const { rows } = await database.query<{
    version: number;
    placed_version: number;
    disturbances: string;
    next: string;
    oldest: string;
  }>(
    `select (select coalesce(max(version), 0) from ${at}.group_changes) as version, r.placed_version,
       r.disturbances::text as disturbances, pg_snapshot_xmax(pg_current_snapshot())::text as next,
       pg_snapshot_xmin(pg_current_snapshot())::text as oldest
     from ${at}.regrouping r`,
    [],
  );
  const [row] = rows;
  return {
    ...{ version: row?.version ?? 0, placedVersion: row?.placed_version ?? 0, disturbances: row?.disturbances ?? "0" },
    ...{ nextTransaction: BigInt(row?.next ?? 0), oldestTransaction: BigInt(row?.oldest ?? 0) },
  };
}

/** A letter that was placed under an older version. */
export interface MisplacedLetter {
  readonly id: Uint8Array;
  /** The group of its queue and its last failure, before anybody merged or split anything: a UUID. */
  readonly natural: string;
  /** Changes with whatever happens to the letter. */
  readonly stamp: string;
}

/** Letters in that group that were placed under an older version, in the order of arrival, after that one. */
export async function findMisplaced(
  { database, at }: Ledger,
  { group, version, after }: { readonly group: string; readonly version: number; readonly after: Uint8Array | null },
  limit: number,
): Promise<readonly MisplacedLetter[]> {
  const { rows } = await database.query<{
    id: string;
    stamp: string;
    source: string;
    queue: string;
    fingerprint: string;
  }>(
    `select l.id, ${at}.change_stamp(l.changed_at)::text as stamp, g.source, g.queue,
       encode(coalesce(c.fingerprint, l.fingerprint), 'hex') as fingerprint
     from ${at}.letters l
     join ${at}.groups g on g.id = l.group_id
     left join lateral (
       select fingerprint from ${at}.classifications c where c.letter_id = l.id order by c.n desc limit 1
     ) c on true
     where l.group_id = $1 and l.grouping_version < $2 and ($3::uuid is null or l.id > $3) order by l.id limit $4`,
    [group, version, after === null ? null : uuidOf(after), limit],
  );
  return rows.map(({ id, stamp, source, queue, fingerprint }) => ({
    ...{ id: idOfUuid(id), stamp },
    natural: uuidOf(groupIdOf({ source, queue, fingerprint: { id: fingerprint } })),
  }));
}

export interface Placing {
  readonly letter: MisplacedLetter;
  /** The group it belongs to: a UUID. */
  readonly target: string;
}

/** Places letters under that version, but for those that changed since they were found. */
export async function placeAnew(
  { at }: Ledger,
  queries: Queries,
  placings: readonly Placing[],
  version: number,
): Promise<{ readonly placed: number; readonly moved: number }> {
  const { rows } = await queries.query<{ placed: number; moved: number }>(
    `select placed::integer, moved::integer from ${at}.place_letters($1::uuid[], $2::uuid[], $3::bigint[], $4::integer)`,
    [
      placings.map(({ letter }) => uuidOf(letter.id)),
      placings.map(({ target }) => target),
      placings.map(({ letter }) => letter.stamp),
      version,
    ],
  );
  return rows[0] ?? { placed: 0, moved: 0 };
}

/** When the first and the last letter of each of these groups came and failed, as its letters have it by now. */
export async function redateGroups({ at }: Ledger, queries: Queries, groups: readonly string[]): Promise<void> {
  await queries.query(
    `update ${at}.groups g set first_arrived_at = t.first_at, last_arrived_at = t.last_at,
       first_failed_at = t.first_failed_at, last_failed_at = t.last_failed_at
     from (
       select w.id, min(l.arrived_at) as first_at, max(l.arrived_at) as last_at,
         min(l.failed_at) as first_failed_at, max(l.failed_at) as last_failed_at
       from unnest($1::uuid[]) as w (id) left join ${at}.letters l on l.group_id = w.id group by w.id
     ) t where g.id = t.id`,
    [groups],
  );
}

/** That every letter stands right up to that version. False: some were placed under an older one meanwhile. */
export async function noteAllPlaced(
  { at }: Ledger,
  queries: Queries,
  { version, disturbances }: Pick<RegroupingState, "version" | "disturbances">,
): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.regrouping set placed_version = $1 where disturbances = $2::bigint and placed_version <= $1`,
    [version, disturbances],
  );
  return count > 0;
}

/** A group's row, for whoever makes another one of it. */
export async function copyGroup(
  { at }: Ledger,
  queries: Queries,
  { from, id, title }: { readonly from: string; readonly id: Uint8Array; readonly title: string },
): Promise<void> {
  await queries.query(
    `insert into ${at}.groups (id, source, queue, fingerprint, title, error_class, category, first_letter_id)
     select $2::uuid, g.source, g.queue, g.fingerprint, $3, g.error_class, g.category, g.first_letter_id
     from ${at}.groups g where g.id = $1`,
    [from, uuidOf(id), title],
  );
}

/** How many letters are in these groups, and how many of them need a decision. */
export async function countInGroups(
  { database, at }: Ledger,
  groups: readonly string[],
): Promise<{ readonly letters: number; readonly open: number }> {
  const { rows } = await database.query<{ letters: number; open: number }>(
    `select count(*)::integer as letters, count(*) filter (where ${at}.is_open(l.state))::integer as open
     from ${at}.letters l where l.group_id = any ($1::uuid[])`,
    [groups],
  );
  return rows[0] ?? { letters: 0, open: 0 };
}

/** Ids of letters in these groups, the newest first. */
export async function newestInGroups(
  { database, at }: Ledger,
  groups: readonly string[],
  limit: number,
): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<{ id: string }>(
    `select l.id from ${at}.letters l where l.group_id = any ($1::uuid[]) order by l.id desc limit $2`,
    [groups, limit],
  );
  return rows.map(({ id }) => idOfUuid(id));
}
