import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";

export interface Person {
  readonly id: string;
  readonly kind: "human" | "agent" | "demo";
  readonly roles: readonly string[];
  /** False until an invitation was used. */
  readonly hasPassword: boolean;
  /** Whether an issuer says who they are. */
  readonly hasIdentity: boolean;
  readonly madeAt: string;
  readonly disabledAt: string | null;
}

interface PersonRow {
  readonly id: string;
  readonly kind: "human" | "agent" | "demo";
  readonly roles: readonly string[];
  readonly has_password: boolean;
  readonly has_identity: boolean;
  readonly made_at: Date;
  readonly disabled_at: Date | null;
}

const columnsOf = (at: string) => `id, kind, roles, password is not null as has_password,
  exists (select from ${at}.identities i where i.person = people.id) as has_identity, made_at, disabled_at`;

export async function listPeople({ database, at }: Ledger): Promise<readonly Person[]> {
  const { rows } = await database.query<PersonRow>(`select ${columnsOf(at)} from ${at}.people order by id`, []);
  return rows.map(personOf);
}

/** Of everybody who is or was let in. */
export async function personIds({ at }: Ledger, queries: Queries): Promise<readonly string[]> {
  const { rows } = await queries.query<{ id: string }>(`select id from ${at}.people`, []);
  return rows.map(({ id }) => id);
}

/** Names that are somebody's or were: what the log says of one who had it must not read as another's. */
export async function takenNames({ at }: Ledger, queries: Queries): Promise<readonly string[]> {
  const { rows } = await queries.query<{ name: string }>(
    `select id as name from ${at}.people union select name from ${at}.former_names`,
    [],
  );
  return rows.map(({ name }) => name);
}

/** Null for nobody. */
export async function findPerson(
  { at }: Ledger,
  queries: Queries,
  id: string,
  locking: "" | "for update" = "",
): Promise<Person | null> {
  const { rows } = await queries.query<PersonRow>(
    `select ${columnsOf(at)} from ${at}.people where id = $1 ${locking}`,
    [id],
  );
  return rows[0] === undefined ? null : personOf(rows[0]);
}

/** Locked until the transaction ends; null for nobody. */
export function lockPerson(ledger: Ledger, queries: Queries, id: string): Promise<Person | null> {
  return findPerson(ledger, queries, id, "for update");
}

export interface NewPerson {
  readonly id: string;
  readonly kind: Person["kind"];
  readonly roles: readonly string[];
}

/** False where the name is taken. */
export async function addPerson({ at }: Ledger, queries: Queries, { id, kind, roles }: NewPerson): Promise<boolean> {
  const { count } = await queries.query(
    `insert into ${at}.people (id, kind, roles) values ($1, $2, $3) on conflict do nothing`,
    [id, kind, [...roles]],
  );
  return count > 0;
}

export async function changePerson(
  { at }: Ledger,
  queries: Queries,
  { id, roles, isDisabled }: { readonly id: string; readonly roles: readonly string[]; readonly isDisabled: boolean },
): Promise<void> {
  await queries.query(
    `update ${at}.people set roles = $2, disabled_at = case when $3 then coalesce(disabled_at, ${at}.clock()) end
     where id = $1`,
    [id, [...roles], isDisabled],
  );
}

export async function setPassword({ at }: Ledger, queries: Queries, id: string, password: string): Promise<void> {
  await queries.query(`update ${at}.people set password = $2 where id = $1`, [id, password]);
}

/** The hash of somebody's password; null for nobody, nobody any more, or somebody without one. */
export async function passwordOf({ database, at }: Ledger, id: string): Promise<string | null> {
  const { rows } = await database.query<{ password: string | null }>(
    `select password from ${at}.people where id = $1 and disabled_at is null`,
    [id],
  );
  return rows[0]?.password ?? null;
}

/** People who could sign in, here or elsewhere, and have one of the roles of the statement's first value, as an SQL expression. */
export function whoCanComeInAs(at: string): string {
  return `from ${at}.people where roles && $1::text[] and disabled_at is null
    and (password is not null or exists (select from ${at}.identities i where i.person = people.id))`;
}

/** People who could sign in and let others in, by one of these roles. */
export async function countAdmins(
  { at }: Ledger,
  queries: Queries,
  names: readonly string[] = ["admin"],
): Promise<number> {
  const { rows } = await queries.query<{ n: string }>(`select count(*) as n ${whoCanComeInAs(at)}`, [[...names]]);
  return Number(rows[0]?.n);
}

function personOf(row: PersonRow): Person {
  return {
    id: row.id,
    kind: row.kind,
    roles: row.roles,
    hasPassword: row.has_password,
    hasIdentity: row.has_identity,
    madeAt: row.made_at.toISOString(),
    disabledAt: row.disabled_at?.toISOString() ?? null,
  };
}
