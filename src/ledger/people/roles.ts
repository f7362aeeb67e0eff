import type { Role } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";

/** A role by a name of somebody's own, and the queues in which it holds. */
export interface NamedRole {
  readonly name: string;
  readonly is: Role | "agent";
  /** `source/queue`; `*` stands for any characters. */
  readonly queues: readonly string[];
  readonly reveals: boolean;
}

export async function listRoles({ database, at }: Ledger, queries: Queries = database): Promise<readonly NamedRole[]> {
  const { rows } = await queries.query<NamedRole>(
    `select name, "is", queues, reveals from ${at}.roles order by name`,
    [],
  );
  return rows;
}

export async function putRole(
  { at }: Ledger,
  queries: Queries,
  { name, is, queues, reveals }: NamedRole,
): Promise<void> {
  await queries.query(
    `insert into ${at}.roles (name, "is", queues, reveals) values ($1, $2, $3, $4)
     on conflict (name) do update set "is" = excluded."is", queues = excluded.queues, reveals = excluded.reveals`,
    [name, is, [...queues], reveals],
  );
}

/** False where there is none of that name. Whoever has it keeps the name, which gives nothing any more. */
export async function removeRole({ at }: Ledger, queries: Queries, name: string): Promise<boolean> {
  const { count } = await queries.query(`delete from ${at}.roles where name = $1`, [name]);
  return count > 0;
}

/** The roles that a person `p` has by names of the ledger's own, as a column. */
export function ownRolesColumn(at: string): string {
  return `(select coalesce(json_agg(json_build_object('name', r.name, 'is', r."is", 'queues', r.queues, 'reveals', r.reveals)), '[]')
     from ${at}.roles r where r.name = any (p.roles)) as "ownRoles"`;
}
