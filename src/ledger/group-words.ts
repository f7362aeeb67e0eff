import type { Category } from "../domain/classification.ts";
import type { Queries } from "../domain/database.ts";
import type { Ledger } from "./ledger.ts";

export type GroupWordKind =
  | "acknowledged"
  | "snoozed"
  | "woken"
  | "assigned"
  | "noted"
  | "classified"
  | "introduced"
  | "tagged"
  | "untagged";

/** How a group stood at a moment, as far as it can get worse. */
export interface GroupStood {
  readonly open: number;
  readonly category: Category;
  readonly isGrowing: boolean;
}

/** What somebody said about a group. Times are in milliseconds since 1970. */
export interface GroupWord {
  readonly at: number;
  readonly actor: string;
  readonly kind: GroupWordKind;
  /** A note's own text; otherwise why. */
  readonly text: string | null;
  /**
   * Of an assignment: who has it; null: nobody any more. Of a classification: what it is called. Of tags: those. Of what brought it
   * in: the commit or version; null: that is taken back.
   */
  readonly said: string | null;
  /** Of a snooze. */
  readonly until: number | null;
  readonly isUntilWorse: boolean;
  /** How the group stood then; null where nothing is compared with it. */
  readonly stood: GroupStood | null;
}

/** Adds a word. `group` is a UUID. */
export async function insertGroupWord({ at }: Ledger, queries: Queries, group: string, word: GroupWord): Promise<void> {
  // Locked first and numbered then: whoever waited would number by what was there before the wait.
  await queries.query(`select from ${at}.groups where id = $1 for no key update`, [group]);
  await queries.query(
    `insert into ${at}.group_words (group_id, n, at, actor, kind, text, said, until, until_worse, stood)
     select $1, coalesce(max(n), 0) + 1, to_timestamp($2::float8 / 1000), $3, $4, $5, $6,
       to_timestamp($7::float8 / 1000), $8, $9
     from ${at}.group_words where group_id = $1`,
    [
      ...[group, word.at, word.actor, word.kind, word.text, word.said, word.until, word.isUntilWorse],
      word.stood === null ? null : JSON.stringify(word.stood),
    ],
  );
}

interface WordRow {
  readonly group_id: string;
  readonly at: Date;
  readonly actor: string;
  readonly kind: GroupWordKind;
  readonly text: string | null;
  readonly said: string | null;
  readonly until: Date | null;
  readonly until_worse: boolean;
  readonly stood: string | null;
}

const columns = "w.group_id, w.at, w.actor, w.kind, w.text, w.said, w.until, w.until_worse, w.stood";

function wordOf(row: WordRow): GroupWord {
  const { at, actor, kind, text, said, until, until_worse: isUntilWorse, stood } = row;
  const times = { at: at.getTime(), until: until?.getTime() ?? null };
  return {
    ...times,
    actor,
    kind,
    text,
    said,
    isUntilWorse,
    stood: stood === null ? null : (JSON.parse(stood) as GroupStood),
  };
}

/** What holds of a group, of all that was said. */
export interface StandingWords {
  /** That it was seen, may wait, or may wait no more. */
  readonly attention: GroupWord | null;
  /** A letter of it came back since that was said. */
  readonly cameBack: boolean;
  readonly assignment: GroupWord | null;
  readonly introduction: GroupWord | null;
  readonly notes: number;
}

const noWords: StandingWords = { attention: null, cameBack: false, assignment: null, introduction: null, notes: 0 };

/** A group as this looks for its words: a UUID, with those that were merged into it. */
export interface NamedGroup {
  readonly id: string;
  readonly ids: readonly string[];
}

/** Each group beside each of its names. */
export function pairsOf(groups: readonly NamedGroup[]): readonly [of: readonly string[], named: readonly string[]] {
  return [groups.flatMap(({ id, ids }) => ids.map(() => id)), groups.flatMap(({ ids }) => ids)];
}

/** Of each group, what was said last; groups of which nobody said anything are not in it. */
export async function standingWords(
  { database, at }: Ledger,
  groups: readonly NamedGroup[],
): Promise<ReadonlyMap<string, StandingWords>> {
  const { rows } = await database.query<WordRow & { of: string; what: string; n: number; came_back: boolean }>(
    `select last.*, last.what = 'attention' and exists (
       -- One after the other: by the list of them all returns there are would be gone through for each group.
       select from unnest(last.ids) as i (id) cross join lateral (
         select from ${at}.group_returns r where r.group_id = i.id and r.last_at > last.at offset 0
       ) r
     ) as came_back
     from (
       select distinct on (u.of, k.what) u.of, u.ids, k.what, ${columns}, count(*) over (partition by u.of, k.what)::integer as n
       from (select n.of, array_agg(n.id) as ids from unnest($1::uuid[], $2::uuid[]) as n (of, id) group by 1) u
       cross join lateral unnest(u.ids) as i (id) join ${at}.group_words w on w.group_id = i.id
       cross join lateral (select case when w.kind in ('acknowledged', 'snoozed', 'woken') then 'attention' else w.kind end) as k (what)
       order by u.of, k.what, w.at desc, w.n desc
     ) last`,
    pairsOf(groups),
  );
  const words = new Map<string, StandingWords>();
  for (const { of: group, what, n, came_back: cameBack, ...row } of rows) {
    const before = words.get(group) ?? noWords;
    if (what === "attention") words.set(group, { ...before, attention: wordOf(row), cameBack });
    if (what === "assigned") words.set(group, { ...before, assignment: wordOf(row) });
    if (what === "introduced") words.set(group, { ...before, introduction: wordOf(row) });
    if (what === "noted") words.set(group, { ...before, notes: n });
  }
  return words;
}

/** Groups of which somebody said such a thing at some time, as UUIDs. */
export async function groupsWithWords({ database, at }: Ledger, kind: GroupWordKind): Promise<readonly string[]> {
  const { rows } = await database.query<{ group_id: string }>(
    `select distinct w.group_id from ${at}.group_words w where w.kind = $1`,
    [kind],
  );
  return rows.map(({ group_id: id }) => id);
}

/** Groups that somebody gave to this person at some time, as UUIDs: whether they still have them is to be seen. */
export async function groupsEverAssigned({ database, at }: Ledger, assignee: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ group_id: string }>(
    `select distinct w.group_id from ${at}.group_words w where w.kind = 'assigned' and w.said = $1`,
    [assignee],
  );
  return rows.map(({ group_id: id }) => id);
}

/** Who has each of these groups, by what was said last; groups that nobody ever had are not in it. */
export async function assigneesOf(
  { database, at }: Ledger,
  groups: readonly NamedGroup[],
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await database.query<{ of: string; said: string | null }>(
    `select distinct on (u.of) u.of, w.said from unnest($1::uuid[], $2::uuid[]) as u (of, id)
     join ${at}.group_words w on w.group_id = u.id and w.kind = 'assigned' order by u.of, w.at desc, w.n desc`,
    pairsOf(groups),
  );
  return new Map(rows.map(({ of, said }) => [of, said]));
}

/** What a person says brought a group in. */
export interface GroupIntroduction {
  /** As a UUID. */
  readonly groupId: string;
  readonly said: string;
  readonly by: string;
}

/** The latest words on what brought groups in, of those that were not taken back: at most so many. */
export async function latestIntroductions(
  { database, at }: Ledger,
  limit: number,
): Promise<readonly GroupIntroduction[]> {
  const { rows } = await database.query<{ group_id: string; said: string; actor: string }>(
    `select w.group_id, w.said, w.actor from ${at}.group_words w
     where w.kind = 'introduced' and w.said is not null and not exists (
       select from ${at}.group_words later where later.group_id = w.group_id and later.kind = 'introduced' and later.n > w.n
     ) order by w.at desc limit $1`,
    [limit],
  );
  return rows.map(({ group_id: groupId, said, actor: by }) => ({ groupId, said, by }));
}

interface Waiting {
  readonly kinds: readonly GroupWordKind[];
  /** Groups that are part of others: their letters are with those, their words are still their own. */
  readonly merged: readonly string[];
  readonly now: number;
}

/**
 * Groups with open letters of which somebody said last that they have seen it or that it may wait, as UUIDs: whether it got worse
 * since is to be seen. By the groups, since those that were ever acknowledged only get more.
 */
export async function groupsToldToWait(
  { database, at }: Ledger,
  { kinds, merged, now }: Waiting,
): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select g.id from (
       select g.id from ${at}.groups g where g.open > 0 union select m.id from unnest($3::uuid[]) as m (id)
     ) g cross join lateral (
       select w.kind, w.until from ${at}.group_words w
       where w.group_id = g.id and w.kind in ('acknowledged', 'snoozed', 'woken') order by w.n desc limit 1
     ) last where last.kind = any ($1::text[]) and (last.until is null or last.until > to_timestamp($2::float8 / 1000))`,
    [[...kinds], now, merged],
  );
  return rows.map(({ id }) => id);
}

/** All that was said about a group, newest first. */
export async function listGroupWords(
  { database, at }: Ledger,
  ids: readonly string[],
  limit: number,
): Promise<readonly GroupWord[]> {
  const { rows } = await database.query<WordRow>(
    `select ${columns} from ${at}.group_words w where w.group_id = any ($1::uuid[])
     order by w.at desc, w.n desc limit $2`,
    [ids, limit],
  );
  return rows.map(wordOf);
}
