import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";

/** Who somebody is at an issuer. */
export interface IdentityName {
  readonly issuer: string;
  readonly subject: string;
}

export interface KnownIdentity {
  readonly person: string;
  readonly givesRoles: boolean;
}

/** Locked until the transaction ends; null for somebody who never came that way. */
export async function lockIdentity(
  { at }: Ledger,
  queries: Queries,
  { issuer, subject }: IdentityName,
): Promise<KnownIdentity | null> {
  const { rows } = await queries.query<KnownIdentity>(
    `select person, gives_roles as "givesRoles" from ${at}.identities where issuer = $1 and subject = $2 for update`,
    [issuer, subject],
  );
  return rows[0] ?? null;
}

/** From now on it is that person's, whoever's it was. */
export async function putIdentity(
  { at }: Ledger,
  queries: Queries,
  { issuer, subject }: IdentityName,
  { person, givesRoles }: KnownIdentity,
): Promise<void> {
  await queries.query(
    `insert into ${at}.identities (issuer, subject, person, gives_roles) values ($1, $2, $3, $4)
     on conflict (issuer, subject) do update set person = excluded.person, gives_roles = excluded.gives_roles`,
    [issuer, subject, person, givesRoles],
  );
}

/** Whether there is another way for that person to come in. */
export async function canComeIn({ at }: Ledger, queries: Queries, person: string): Promise<boolean> {
  const { rows } = await queries.query<{ can: boolean }>(
    `select p.password is not null or exists (select from ${at}.identities i where i.person = p.id) as can
     from ${at}.people p where p.id = $1`,
    [person],
  );
  return rows[0]?.can === true;
}
