import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";

/** Who somebody is at an issuer. */
export interface IdentityName {
  readonly issuer: string;
  readonly subject: string;
}

export interface KnownIdentity {
  readonly person: string;
  /** False where an admin joined it to an account that has roles of its own. */
  readonly givesRoles: boolean;
  /** Whether the configuration names it: then its roles are those it says, and go with its name. */
  readonly isConfigured: boolean;
}

const known = `person, gives_roles as "givesRoles", configured as "isConfigured"`;

/** Locked until the transaction ends; null for somebody who never came that way. */
export async function lockIdentity(
  { at }: Ledger,
  queries: Queries,
  { issuer, subject }: IdentityName,
): Promise<KnownIdentity | null> {
  const { rows } = await queries.query<KnownIdentity>(
    `select ${known} from ${at}.identities where issuer = $1 and subject = $2 for update`,
    [issuer, subject],
  );
  return rows[0] ?? null;
}

/** All there are, or those of one person. */
export async function listIdentities(
  { at }: Ledger,
  queries: Queries,
  person: string | null = null,
): Promise<readonly (KnownIdentity & IdentityName & { readonly seenAt: Date })[]> {
  const { rows } = await queries.query<KnownIdentity & IdentityName & { readonly seenAt: Date }>(
    `select issuer, subject, seen_at as "seenAt", ${known} from ${at}.identities
     where $1::text is null or person = $1 order by made_at, issuer, subject`,
    [person],
  );
  return rows;
}

/** From now on it is that person's, whoever's it was. `isSeen`: its issuer has just said who it is. */
export async function putIdentity(
  { at }: Ledger,
  queries: Queries,
  { issuer, subject }: IdentityName,
  { person, givesRoles, isConfigured, isSeen }: KnownIdentity & { readonly isSeen: boolean },
): Promise<void> {
  await queries.query(
    `insert into ${at}.identities as i (issuer, subject, person, gives_roles, configured, seen_at)
     values ($1, $2, $3, $4, $5, case when $6 then ${at}.clock() else 'epoch' end)
     on conflict (issuer, subject) do update
       set person = excluded.person, gives_roles = excluded.gives_roles, configured = excluded.configured,
         seen_at = case when $6 then ${at}.clock() else i.seen_at end`,
    [issuer, subject, person, givesRoles, isConfigured, isSeen],
  );
}

/** From now on nobody was seen by it: its tokens wait until its issuer has named it again. */
export async function forgetSeen({ at }: Ledger, queries: Queries, { issuer, subject }: IdentityName): Promise<void> {
  await queries.query(`update ${at}.identities set seen_at = 'epoch' where issuer = $1 and subject = $2`, [
    ...[issuer, subject],
  ]);
}

/** Whether the configuration names it. What that names gives roles. */
export async function noteConfigured(
  { at }: Ledger,
  queries: Queries,
  { issuer, subject, isConfigured }: IdentityName & Pick<KnownIdentity, "isConfigured">,
): Promise<void> {
  await queries.query(
    `update ${at}.identities set configured = $3, gives_roles = gives_roles or $3 where issuer = $1 and subject = $2`,
    [...[issuer, subject, isConfigured]],
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
