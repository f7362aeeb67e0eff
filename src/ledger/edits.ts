import type { Queries } from "../domain/database.ts";
import type { HeaderChange } from "../domain/header-changes.ts";
import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

/** What somebody put in place of a letter's body and headers. Nothing in it is masked. */
export interface Edit {
  readonly letterId: Uint8Array;
  /** 1 is the first; the original is 0. */
  readonly revision: number;
  readonly body: Uint8Array;
  /** All that is other than what the letter came with; null: nothing is. */
  readonly headers: readonly HeaderChange[] | null;
  readonly by: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The replay whose patch made it; null where somebody edited this letter alone. */
  readonly replay: Uint8Array | null;
}

export type NewEdit = Omit<Edit, "at"> & { readonly sha256: Uint8Array };

interface Row {
  readonly letter_id: string;
  readonly revision: number;
  readonly body: Uint8Array;
  readonly headers: readonly HeaderChange[] | null;
  readonly by: string;
  readonly reason: string;
  readonly at: number;
  readonly replay_id: string | null;
}

const columns = `e.letter_id, e.revision, e.body, e.headers, e.by, e.reason, (extract(epoch from e.at) * 1000)::float8 as at, e.replay_id`;

/** Those that nobody has made meanwhile; gives how many that were. */
export async function insertEdits({ at }: Ledger, queries: Queries, edits: readonly NewEdit[]): Promise<number> {
  const { count } = await queries.query(
    `insert into ${at}.edits (letter_id, revision, body, sha256, by, reason, replay_id, headers)
     select * from unnest($1::uuid[], $2::integer[], $3::bytea[], $4::bytea[], $5::text[], $6::text[], $7::uuid[], $8::jsonb[])
     on conflict do nothing`,
    [
      edits.map(({ letterId }) => uuidOf(letterId)),
      edits.map(({ revision }) => revision),
      edits.map(({ body }) => Buffer.from(body)),
      edits.map(({ sha256 }) => Buffer.from(sha256)),
      edits.map(({ by }) => by),
      edits.map(({ reason }) => reason),
      edits.map(({ replay }) => (replay === null ? null : uuidOf(replay))),
      edits.map(({ headers }) => (headers === null ? null : JSON.stringify(headers))),
    ],
  );
  return count;
}

/**
 * Keeps what a replay's patch made of letters, in the name of whoever asked for the replay. Gives the numbers of the items
 * whose letter nobody else has edited meanwhile.
 */
export async function keepPatched(
  { database, at }: Ledger,
  replay: Uint8Array,
  patched: readonly PatchedItem[],
): Promise<ReadonlySet<number>> {
  const { rows } = await database.query<{ n: number }>(
    `with given as (
       select * from unnest($2::integer[], $3::uuid[], $4::integer[], $5::bytea[], $6::bytea[], $7::jsonb[])
         as g (n, letter_id, revision, body, sha256, headers)
     ), kept as (
       insert into ${at}.edits (letter_id, revision, body, sha256, by, reason, replay_id, headers)
       select g.letter_id, g.revision, g.body, g.sha256, r.requested_by, coalesce(r.reason, r.name), r.id, g.headers
       from given g join ${at}.replays r on r.id = $1
       on conflict do nothing returning letter_id
     )
     select g.n from given g join kept k using (letter_id)`,
    [
      uuidOf(replay),
      patched.map(({ n }) => n),
      patched.map(({ letterId }) => uuidOf(letterId)),
      patched.map(({ revision }) => revision),
      patched.map(({ body }) => Buffer.from(body)),
      patched.map(({ sha256 }) => Buffer.from(sha256)),
      patched.map(({ headers }) => (headers === null ? null : JSON.stringify(headers))),
    ],
  );
  return new Set(rows.map(({ n }) => n));
}

export interface PatchedItem extends Pick<NewEdit, "letterId" | "revision" | "body" | "sha256" | "headers"> {
  /** The item's number in its replay. */
  readonly n: number;
}

/** All edits of a letter, the first one first. */
export async function readEdits({ at }: Ledger, queries: Queries, letter: Uint8Array): Promise<readonly Edit[]> {
  const { rows } = await queries.query<Row>(
    `select ${columns} from ${at}.edits e where e.letter_id = $1 order by e.revision`,
    [uuidOf(letter)],
  );
  return rows.map(editOf);
}

export interface LatestEdit extends Edit {
  /** Its consumer said of a send of this letter that its inbox knew it as done: its effect is there. */
  readonly wasSuppressed: boolean;
}

/** The latest edit of each letter that has any, by the letter's id in hexadecimal digits. */
export async function latestEdits(
  { database, at }: Ledger,
  letters: readonly Uint8Array[],
): Promise<ReadonlyMap<string, LatestEdit>> {
  const { rows } = await database.query<Row & { readonly was_suppressed: boolean }>(
    `select distinct on (e.letter_id) ${columns}, exists (
       select from ${at}.attempts a where a.letter_id = e.letter_id and a.kind = 'suppressed'
     ) as was_suppressed
     from ${at}.edits e where e.letter_id = any ($1::uuid[]) order by e.letter_id, e.revision desc`,
    [letters.map(uuidOf)],
  );
  return new Map(
    rows.map(({ was_suppressed: wasSuppressed, ...row }) => {
      const edit = { ...editOf(row), wasSuppressed };
      return [hexOf(edit.letterId), edit];
    }),
  );
}

/** How a letter stands, held so that nobody sends or decides it meanwhile; null where there is none. */
export async function holdState({ at }: Ledger, queries: Queries, letter: Uint8Array): Promise<string | null> {
  const { rows } = await queries.query<{ state: string }>(`select state from ${at}.letters where id = $1 for share`, [
    uuidOf(letter),
  ]);
  return rows[0]?.state ?? null;
}

/** Opens the letters of these items that had gone edited. */
export async function reopenEdited(
  { at }: Ledger,
  queries: Queries,
  { replay, numbers }: { readonly replay: Uint8Array; readonly numbers: readonly number[] },
): Promise<void> {
  await queries.query(
    `select ${at}.move_letters(array_agg(i.letter_id), array['resolved'], 'open') from ${at}.replay_items i
     where i.replay_id = $1 and i.n = any ($2::integer[]) and i.revision > 0`,
    [uuidOf(replay), numbers],
  );
}

function editOf({ letter_id: letter, replay_id: replay, ...row }: Row): Edit {
  return { ...row, letterId: idOfUuid(letter), replay: replay === null ? null : idOfUuid(replay) };
}
