import { type NamedGroup, pairsOf } from "./group-words.ts";
import type { Ledger } from "./ledger.ts";

/** When a letter of these groups came back last after a replay, in milliseconds since 1970, by the group's UUID. Most never did. */
export async function lastReturnsOf(
  { database, at }: Ledger,
  groups: readonly NamedGroup[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.query<{ of: string; last_at: Date }>(
    `select n.of, max(r.last_at) as last_at from unnest($1::uuid[], $2::uuid[]) as n (of, id)
     join ${at}.group_returns r on r.group_id = n.id group by 1`,
    pairsOf(groups),
  );
  return new Map(rows.map(({ of, last_at: lastAt }) => [of, lastAt.getTime()]));
}

type Schemas = Map<string, string | null>;

/** What the first letter of a group named never changes, and every inbox asks. */
const known = new WeakMap<object, Schemas>();
const knownAtMost = 10_000;

/** The schema of a letter of each of these groups, by UUID: of the first, and of the newest where that is gone. Null: it names none. */
export async function schemasOf(
  ledger: Ledger,
  groups: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const before = known.get(ledger.database) ?? new Map<string, string | null>();
  const found = await readSchemas(
    ledger,
    groups.filter((id) => !before.has(id)),
  );
  const schemas: Schemas = before.size + found.size > knownAtMost ? new Map(found) : new Map([...before, ...found]);
  known.set(ledger.database, schemas);
  return new Map(groups.map((id) => [id, found.get(id) ?? before.get(id) ?? null]));
}

async function readSchemas({ database, at }: Ledger, groups: readonly string[]): Promise<Schemas> {
  if (groups.length === 0) return new Map();
  const { rows } = await database.query<{ id: string; type: string | null }>(
    // Without letters it names nothing yet, which is not remembered of it.
    `select g.id, coalesce(
       (select l.type from ${at}.letters l where l.id = g.first_letter_id),
       (select l.type from ${at}.letters l where l.group_id = g.id order by l.id desc limit 1)
     ) as type from ${at}.groups g
     where g.id = any ($1::uuid[]) and exists (select from ${at}.letters l where l.group_id = g.id)`,
    [groups],
  );
  return new Map(rows.map(({ id, type }) => [id, type]));
}

/** A group with the moment its gate opened, in milliseconds since 1970. */
export interface OpenedGate extends NamedGroup {
  readonly openedAt: number;
}

/** Open letters by when they failed: before a gate opened, after that, or nobody can tell. */
export interface SidesOfGate {
  readonly before: number;
  readonly after: number;
  readonly unknown: number;
  /** They are all there are: not only the oldest were looked at. */
  readonly isAll: boolean;
}

interface Looking {
  /** How far two clocks may be off, in milliseconds. */
  readonly skewMs: number;
  /** Letters that are looked at of each group, and of each that was merged into it: the oldest. */
  readonly atMost: number;
}

/** By the group's UUID. As the judge of replays has it: a time of arrival is only a bound, and proves nothing behind the gate. */
export async function sidesOfGates(
  { database, at }: Ledger,
  gates: readonly OpenedGate[],
  { skewMs, atMost }: Looking,
): Promise<ReadonlyMap<string, SidesOfGate>> {
  if (gates.length === 0) return new Map();
  const { rows } = await database.query<SidesOfGate & { readonly of: string }>(
    `select s.of, count(*) filter (where s.side = 'before')::integer as before,
       count(*) filter (where s.side = 'after')::integer as after, count(*) filter (where s.side = 'unknown')::integer as unknown,
       count(*) < $5 as "isAll"
     from (
       select u.of, case when l.failed_at < u.opened_at - $4::float8 * interval '1 ms' then 'before'
         when l.failed_at > u.opened_at + $4::float8 * interval '1 ms' and l.failed_at_by <> 'arrival' then 'after'
         else 'unknown' end as side
       from (
         select n.of, n.id, to_timestamp(n.opened_at / 1000) as opened_at
         from unnest($1::uuid[], $2::uuid[], $3::float8[]) as n (of, id, opened_at)
       ) u cross join lateral (
         select l.failed_at, l.failed_at_by from ${at}.letters l
         where l.group_id = u.id and l.state in ('open', 'returned') order by l.failed_at limit $5
       ) l
     ) s group by s.of`,
    [...pairsOf(gates), gates.flatMap(({ ids, openedAt }) => ids.map(() => openedAt)), skewMs, atMost],
  );
  return new Map(rows.map(({ of, ...sides }) => [of, sides]));
}
