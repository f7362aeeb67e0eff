import { type Classification, ruleOfPeople } from "../domain/classification.ts";
import type { Queries } from "../domain/database.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

/** What a letter is from now on. */
export interface Reclassification {
  readonly letter: Uint8Array;
  readonly classification: Classification;
}

/**
 * What is to be judged anew: a failure that came once, nobody has acted on, and no person has named. All of it stands in the
 * letter's own row, so that whoever waited for its lock sees what was said meanwhile.
 */
const isUnjudged = `l.state = 'open' and l.replays = 0 and l.rule <> '${ruleOfPeople}'`;

/** Ids of letters that rules may still move, in the order of arrival, after that one. */
export async function findMovable(
  { database, at }: Ledger,
  after: Uint8Array | null,
  limit: number,
): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<{ id: string }>(
    `select l.id from ${at}.letters l
     where ${isUnjudged} and ($1::uuid is null or l.id > $1)
     order by l.id limit $2`,
    [after === null ? null : uuidOf(after), limit],
  );
  return rows.map(({ id }) => idOfUuid(id));
}

/**
 * Appends a classification to each of these letters that still may be moved, and makes it the letter's own; the one on arrival
 * stays as it was. Gives how many.
 */
export async function reclassify(
  { at }: Ledger,
  queries: Queries,
  moves: readonly Reclassification[],
  policyVersion: number,
): Promise<number> {
  const column = (pick: (classification: Classification) => unknown) =>
    moves.map(({ classification }) => pick(classification));
  const { rows } = await queries.query<{ n: number }>(
    `with given as (
       select * from unnest($1::uuid[], $2::text[], $3::real[], $4::text[], $5::text[], $6::text[], $7::text[])
         as g (id, category, confidence, rule, why, side_effect, runner_up)
     ), locked as materialized (
       select l.id, l.category, l.group_id, l.source, l.queue, l.state, l.fingerprint from ${at}.letters l
       where l.id = any ($1::uuid[]) and ${isUnjudged} order by l.id for no key update
     ), changed as (
       update ${at}.letters l
       set category = g.category, confidence = g.confidence, rule = g.rule, side_effect = g.side_effect, changed_at = ${at}.clock()
       from given g join locked k on k.id = g.id
       where l.id = any ($1::uuid[]) and l.id = g.id
     ), appended as (
       insert into ${at}.classifications
         (letter_id, n, at, category, confidence, rule, why, side_effect, runner_up, fingerprint, policy_version, words)
       select k.id, (select max(c.n) + 1 from ${at}.classifications c where c.letter_id = k.id), ${at}.clock(), g.category,
         -- The words of the error stand with the first one already: a search finds it there.
         g.confidence, g.rule, g.why, g.side_effect, g.runner_up, k.fingerprint, $8::integer, ''::tsvector
       from locked k join given g on g.id = k.id
     ), counted as (
       insert into ${at}.counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
       select k.group_id, k.source, k.queue, m.category, k.state, sum(m.n), 0,
         date_trunc('hour', ${at}.clock() at time zone 'UTC') at time zone 'UTC', ${at}.clock()
       from locked k join given g on g.id = k.id
       cross join lateral (values (k.category, -1), (g.category, 1)) as m (category, n)
       group by k.group_id, k.source, k.queue, m.category, k.state
     )
     select count(*)::integer as n from locked`,
    [
      moves.map(({ letter }) => uuidOf(letter)),
      ...[column(({ category }) => category), column(({ confidence }) => confidence)],
      ...[column(({ rule }) => rule), column(({ why }) => why), column(({ sideEffect }) => sideEffect)],
      ...[column(({ runnerUp }) => runnerUp?.category ?? null), policyVersion],
    ],
  );
  return rows[0]?.n ?? 0;
}

/** A group is called what most of its letters are that still wait for a decision. */
export async function recategoriseGroups(
  { at }: Ledger,
  queries: Queries,
  groups: readonly Uint8Array[],
): Promise<void> {
  await queries.query(
    `update ${at}.groups g set category = m.category
     from (
       select distinct on (t.group_id) t.group_id, t.category from (
         select l.group_id, l.category, count(*) as n from ${at}.letters l
         where l.group_id = any ($1::uuid[]) and ${at}.is_open(l.state) group by l.group_id, l.category
       ) t order by t.group_id, t.n desc, t.category
     ) m
     where g.id = m.group_id and g.category <> m.category`,
    [groups.map(uuidOf)],
  );
}

/** How many letters of each group wait for a decision, and what the group is called; by the group's id as PostgreSQL writes it. */
export async function openPerGroup({ database, at }: Ledger): Promise<ReadonlyMap<string, OpenGroup>> {
  const { rows } = await database.query<{ id: string; title: string; n: number }>(
    `select g.id, g.title, t.n from (
       select l.group_id, count(*)::integer as n from ${at}.letters l where ${at}.is_open(l.state) group by l.group_id
     ) t join ${at}.groups g on g.id = t.group_id`,
    [],
  );
  return new Map(rows.map(({ id, title, n }) => [id, { title, open: n }]));
}

export interface OpenGroup {
  readonly title: string;
  readonly open: number;
}
