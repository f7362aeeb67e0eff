import type { Ledger } from "./ledger.ts";

/** A table, with its indexes and with all of its weeks. */
export interface TableSize {
  readonly table: string;
  readonly bytes: number;
  /** How much larger it is than it was then, in days; null while nobody has noted it for a day. */
  readonly grew: { readonly bytes: number; readonly overDays: number } | null;
}

/** What is compared with is a week old, or as old as there is. */
const comparedDays = 7;
const keptDays = 31;

/** By the catalogue: as many rows as there are tables, whatever is in them. */
function sizesIn(schema: string): string {
  return `select regexp_replace(c.relname, '_[0-9]{8}$', '') as relation, sum(pg_total_relation_size(c.oid))::bigint as bytes
    from pg_class c where c.relnamespace = to_regnamespace(${schema}) and c.relkind = 'r' group by 1`;
}

/** Notes how large it is today, and forgets what it was a month ago. Whoever does so last has the last word. */
export async function noteSizes({ database, at }: Ledger): Promise<void> {
  await database.query(
    `with gone as (
       delete from ${at}.ledger_sizes where day < (${at}.clock() at time zone 'UTC')::date - $2::integer
     )
     insert into ${at}.ledger_sizes (day, relation, bytes)
     select (${at}.clock() at time zone 'UTC')::date, s.relation, s.bytes from (${sizesIn("$1")}) as s order by s.relation
     on conflict (day, relation) do update set bytes = excluded.bytes`,
    [at, keptDays],
  );
}

/** The largest first. */
export async function readSizes({ database, at }: Ledger): Promise<readonly TableSize[]> {
  const { rows } = await database.query<{
    relation: string;
    bytes: string;
    before: string | null;
    days: number | null;
  }>(
    `with today as (select (${at}.clock() at time zone 'UTC')::date as day), noted as (
       select coalesce(
         (select max(z.day) from ${at}.ledger_sizes z, today t where z.day <= t.day - $2::integer),
         (select min(z.day) from ${at}.ledger_sizes z, today t where z.day < t.day)) as day
     )
     select s.relation, s.bytes, case when n.day is null then null else coalesce(z.bytes, 0) end as before, t.day - n.day as days
     from (${sizesIn("$1")}) as s cross join today t cross join noted n
     left join ${at}.ledger_sizes z on z.day = n.day and z.relation = s.relation
     order by s.bytes desc, s.relation`,
    [at, comparedDays],
  );
  return rows.map(({ relation, bytes, before, days }) => ({
    ...{ table: relation, bytes: Number(bytes) },
    grew: before === null || days === null ? null : { bytes: Number(bytes) - Number(before), overDays: days },
  }));
}

/** First days of the weeks that have partitions, the oldest first. */
export async function readWeeks({ database, at }: Ledger): Promise<readonly string[]> {
  const { rows } = await database.query<{ week: string }>(
    `select to_char(week, 'YYYY-MM-DD') as week from ${at}.weeks_before('infinity') as week`,
    [],
  );
  return rows.map(({ week }) => week);
}

/** The last migration that was applied to it. */
export async function readSchemaVersion({ database, at }: Ledger): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select max(number) as n from ${at}.migrations`, []);
  return rows[0]?.n ?? 0;
}

export interface NotifierBacklog {
  readonly name: string;
  /** Entries of the audit log that it was not told of, or not spared, yet. */
  readonly behind: number;
  /** When the first of them was written; null where there is none. */
  readonly since: string | null;
}

/** How far each of these is behind the audit log. */
export async function readBacklog(
  { database, at }: Ledger,
  names: readonly string[],
): Promise<readonly NotifierBacklog[]> {
  const { rows } = await database.query<{ name: string; behind: string; since: string | null }>(
    `select t.name, greatest(h.n - t.n, 0) as behind,
       (select convert_from(a.entry, 'UTF8')::json ->> 'at' from ${at}.audit_log a where a.n > t.n order by a.n limit 1) as since
     from ${at}.notifier_turns t cross join ${at}.audit_head h where t.name = any ($1::text[]) order by t.name`,
    [names],
  );
  return rows.map(({ name, behind, since }) => ({ name, behind: Number(behind), since }));
}
