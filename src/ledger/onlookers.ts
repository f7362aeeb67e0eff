import type { Ledger } from "./ledger.ts";

/** Somebody who has something open. */
export interface Onlooker {
  /** Of a person. */
  readonly id: string;
  readonly since: string;
}

/** A page says so every 20 s: one of them may be lost. */
const lapseMs = 45_000;
/** Of one person, those said last. */
const thingsAtMost = 20;

interface Looking {
  readonly thing: string;
  readonly person: string;
}

/** Says that somebody has something open, for a while. */
export async function noteOnlooker({ database, at }: Ledger, { thing, person }: Looking): Promise<void> {
  await database.query(
    `insert into ${at}.onlookers as o (thing, person, since, lapses_at)
     values ($1, $2, ${at}.clock(), ${at}.clock() + $3::float8 * interval '1 ms')
     on conflict (thing, person) do update
       set since = case when o.lapses_at > ${at}.clock() then o.since else excluded.since end, lapses_at = excluded.lapses_at`,
    [thing, person, lapseMs],
  );
}

/**
 * The others who have it open now, those who came first before those who came later. Forgets on the way what has lapsed, and what is
 * too much of one person; what somebody else is just writing is left to the next, so that nobody waits for anybody.
 */
export async function readOnlookers(
  { database, at }: Ledger,
  { thing, person }: Looking,
): Promise<readonly Onlooker[]> {
  const { rows } = await database.query<{ readonly person: string; readonly since: Date }>(
    `with over as (
       select thing, person from ${at}.onlookers
       where lapses_at <= ${at}.clock() or person = $2 and thing in (
         select thing from ${at}.onlookers where person = $2 order by lapses_at desc, thing offset $3
       )
       for update skip locked
     ), forgotten as (
       delete from ${at}.onlookers o using over where o.thing = over.thing and o.person = over.person
     )
     select person, since from ${at}.onlookers
     where thing = $1 and person <> $2 and lapses_at > ${at}.clock() order by since, person`,
    [thing, person, thingsAtMost],
  );
  return rows.map((row) => ({ id: row.person, since: row.since.toISOString() }));
}
