import type { Queries } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { idOfUuid, showId, uuidOf } from "../domain/ids.ts";
import { tagLimits } from "../domain/tags.ts";
import type { Ledger } from "./ledger.ts";

/** A word on a letter or a group, and who put it there: a person, or `rule/<id>`. */
export interface PutTag {
  readonly tag: string;
  readonly by: string;
  readonly at: string;
}

export type TagChangeKind = "tagged" | "untagged";

/** Tags that were put on or taken off, and by whom: a person, or `rule/<id>`. */
export interface PastTagChange {
  readonly at: string;
  readonly change: TagChangeKind;
  readonly tags: readonly string[];
  readonly by: string;
  readonly reason: string | null;
  /** Of the letter itself, or of its group and so of all its letters. */
  readonly of: "letter" | "group";
}

interface LetterTags {
  readonly letters: readonly Uint8Array[];
  readonly tags: readonly string[];
  readonly by: string;
  /** @default no one said why */
  readonly reason?: string | null;
}

interface NotedRows {
  /** Rows of a letter and a tag each. */
  readonly from: string;
  readonly kind: TagChangeKind;
  readonly by: string;
  readonly reason: string;
}

/** A step of a statement that writes what another step of it changed into the histories of the letters: one row for each who did it. */
function noted(at: string, { from, kind, by, reason }: NotedRows): string {
  return `noted as (
       insert into ${at}.tag_changes (letter_id, by, kind, tags, reason)
       select letter_id, ${by}::text, '${kind}', array_agg(tag order by tag), ${reason}::text from ${from} group by 1, 2
       returning letter_id
     )`;
}

/** Gives the letters that have one of these tags now and had it not before. */
export async function addLetterTags(
  ledger: Ledger,
  queries: Queries,
  { letters, tags, by, reason = null }: LetterTags,
): Promise<readonly Uint8Array[]> {
  const { at } = ledger;
  const ids = letters.map(uuidOf);
  const { rows } = await queries.query<{ letter_id: string }>(
    `with put as (
       insert into ${at}.letter_tags (letter_id, tag, by)
       select i.id, t.tag, $3 from unnest($1::uuid[]) as i (id) cross join unnest($2::text[]) as t (tag)
       on conflict do nothing returning letter_id, tag, by
     ), ${noted(at, { from: "put", kind: "tagged", by: "by", reason: "$4" })}
     select letter_id from noted order by 1`,
    [ids, tags, by, reason],
  );
  await requireRoom(ledger, queries, ids);
  return rows.map(({ letter_id: id }) => idOfUuid(id));
}

async function requireRoom({ at }: Ledger, queries: Queries, ids: readonly string[]): Promise<void> {
  const { rows } = await queries.query<{ letter_id: string; n: number }>(
    `select t.letter_id, count(*)::integer as n from ${at}.letter_tags t where t.letter_id = any ($1::uuid[])
     group by 1 having count(*) > ${tagLimits.each} order by 1 limit 1`,
    [ids],
  );
  const [full] = rows;
  if (full !== undefined) throw tooMany(showId("letter", idOfUuid(full.letter_id)), full.n);
}

function tooMany(id: string, n: number): OfficeError {
  const text = `${id} would have ${n} tags, and ${tagLimits.each} is the most. Take some off first. No tag was put on.`;
  return new OfficeError("INVALID_OPTION", text, { details: { id, n, atMost: tagLimits.each } });
}

/** Tags that a rule puts on a letter: `by` is the rule. */
export interface RuleTags {
  readonly letter: Uint8Array;
  readonly tags: readonly string[];
  readonly by: string;
}

/** Gives the letters that have one of them now and had it not before. */
export async function addRuleTags(
  { at }: Ledger,
  queries: Queries,
  given: readonly RuleTags[],
): Promise<readonly Uint8Array[]> {
  const rows = given.flatMap(({ letter, tags, by }) => tags.map((tag) => ({ id: uuidOf(letter), tag, by })));
  if (rows.length === 0) return [];
  const { rows: put } = await queries.query<{ letter_id: string }>(
    `with put as (
       insert into ${at}.letter_tags (letter_id, tag, by) select * from unnest($1::uuid[], $2::text[], $3::text[])
       on conflict do nothing returning letter_id, tag, by
     ), ${noted(at, { from: "put", kind: "tagged", by: "by", reason: "null" })}
     select distinct letter_id from noted order by 1`,
    [rows.map(({ id }) => id), rows.map(({ tag }) => tag), rows.map(({ by }) => by)],
  );
  return put.map(({ letter_id: id }) => idOfUuid(id));
}

/** Gives the letters that had one of these tags. */
export async function removeLetterTags(
  { at }: Ledger,
  queries: Queries,
  { letters, tags, by, reason = null }: LetterTags,
): Promise<readonly Uint8Array[]> {
  const { rows } = await queries.query<{ letter_id: string }>(
    `with gone as (
       delete from ${at}.letter_tags t where t.letter_id = any ($1::uuid[]) and t.tag = any ($2::text[])
       returning t.letter_id, t.tag
     ), ${noted(at, { from: "gone", kind: "untagged", by: "$3", reason: "$4" })}
     select letter_id from noted order by 1`,
    [letters.map(uuidOf), tags, by, reason],
  );
  return rows.map(({ letter_id: id }) => idOfUuid(id));
}

/** Gives the tags that the group, a UUID, did not have before. */
export async function addGroupTags(
  { at }: Ledger,
  queries: Queries,
  { group, tags, by }: { readonly group: string; readonly tags: readonly string[]; readonly by: string },
): Promise<readonly string[]> {
  const { rows } = await queries.query<{ tag: string }>(
    `insert into ${at}.group_tags (group_id, tag, by) select $1::uuid, t.tag, $3 from unnest($2::text[]) as t (tag)
     on conflict do nothing returning tag`,
    [group, tags, by],
  );
  const { rows: counted } = await queries.query<{ n: number }>(
    `select count(*)::integer as n from ${at}.group_tags t where t.group_id = $1`,
    [group],
  );
  const n = counted[0]?.n ?? 0;
  if (n > tagLimits.each) throw tooMany(showId("group", idOfUuid(group)), n);
  return rows.map(({ tag }) => tag);
}

/** From all of these groups, which are one by now. Gives the tags that any of them had. */
export async function removeGroupTags(
  { at }: Ledger,
  queries: Queries,
  { groups, tags }: { readonly groups: readonly string[]; readonly tags: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await queries.query<{ tag: string }>(
    `with gone as (
       delete from ${at}.group_tags t where t.group_id = any ($1::uuid[]) and t.tag = any ($2::text[]) returning t.tag
     )
     select distinct tag from gone order by 1`,
    [groups, tags],
  );
  return rows.map(({ tag }) => tag);
}

/** A group that is made of another one: what is kept out of searches there stays so here. */
export async function copyGroupTags(
  { at }: Ledger,
  queries: Queries,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
): Promise<void> {
  await queries.query(
    `insert into ${at}.group_tags (group_id, tag, by, at)
     select distinct on (t.tag) $2::uuid, t.tag, t.by, t.at from ${at}.group_tags t where t.group_id = any ($1::uuid[])
     order by t.tag, t.at on conflict do nothing`,
    [from, to],
  );
}

/** Of a letter itself, in the order of the alphabet. */
export async function tagsOfLetter({ database, at }: Ledger, letter: string): Promise<readonly PutTag[]> {
  const { rows } = await database.query<Omit<PutTag, "at"> & { readonly at: Date }>(
    `select t.tag, t.by, t.at from ${at}.letter_tags t where t.letter_id = $1 order by t.tag`,
    [letter],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** Of groups that are one by now, each once, as it was put on first. */
export async function tagsOfGroups({ database, at }: Ledger, groups: readonly string[]): Promise<readonly PutTag[]> {
  const { rows } = await database.query<Omit<PutTag, "at"> & { readonly at: Date }>(
    `select distinct on (t.tag) t.tag, t.by, t.at from ${at}.group_tags t where t.group_id = any ($1::uuid[])
     order by t.tag, t.at`,
    [groups],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** Every group that has a tag, a UUID, with each of its tags. There are as many as people have put on by hand. */
export async function groupsWithTags({
  database,
  at,
}: Ledger): Promise<readonly { readonly group: string; readonly tag: string }[]> {
  const { rows } = await database.query<{ group: string; tag: string }>(
    `select t.group_id as "group", t.tag from ${at}.group_tags t order by 1, 2`,
    [],
  );
  return rows;
}

/** More would not be read: the audit log has all of them. */
const shownChanges = 500;

/** What became of the tags of a letter and of its groups, UUIDs that are one by now; the first first. */
export async function tagChangesOf(
  { database, at }: Ledger,
  { letter, groups }: { readonly letter: string; readonly groups: readonly string[] },
): Promise<readonly PastTagChange[]> {
  const { rows } = await database.query<Omit<PastTagChange, "at"> & { readonly at: Date }>(
    `select * from (
       select c.at, c.kind as change, c.tags, c.by, c.reason, 'letter' as of from ${at}.tag_changes c where c.letter_id = $1
       union all
       select w.at, w.kind, string_to_array(w.said, ', '), w.actor, w.text, 'group' from ${at}.group_words w
       where w.group_id = any ($2::uuid[]) and w.kind in ('tagged', 'untagged')
     ) changes order by at desc, of limit ${shownChanges}`,
    [letter, groups],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() })).toReversed();
}

/** With the letters of a week that is removed. */
export async function forgetTagChanges({ at }: Ledger, queries: Queries, week: string): Promise<void> {
  await queries.query(
    `delete from ${at}.tag_changes where letter_id >= ${at}.first_id_at($1::date::timestamp at time zone 'UTC')
       and letter_id < ${at}.first_id_at(($1::date + 7)::timestamp at time zone 'UTC')`,
    [week],
  );
}
