import type { Queries } from "../../domain/database.ts";
import type { ProviderSession } from "../../domain/identity.ts";
import type { Ledger } from "../ledger.ts";
import { type NamedRole, ownRolesColumn } from "./roles.ts";

export interface SessionLimits {
  /** From sign-in, in milliseconds. */
  readonly lastsMs: number;
  /** Without a request, in milliseconds. */
  readonly idleMs: number;
}

export interface KnownPerson {
  readonly person: string;
  readonly kind: "human" | "agent" | "demo";
  /** Names of roles. */
  readonly roles: readonly string[];
  /** Those of the names that the ledger knows. */
  readonly ownRoles: readonly NamedRole[];
}

interface NewSession {
  readonly digest: Uint8Array;
  readonly person: string;
  readonly lastsMs: number;
  /** Null where no identity provider was asked. */
  readonly provider: ProviderSession | null;
}

export async function addSession(
  { at }: Ledger,
  queries: Queries,
  { digest, person, lastsMs, provider }: NewSession,
): Promise<void> {
  const { issuer = null, subject = null, sid = null, idToken = null } = provider ?? {};
  await queries.query(
    `insert into ${at}.sessions (digest, person, expires_at, issuer, subject, provider_session, id_token)
     values ($1, $2, ${at}.clock() + $3::float8 * interval '1 ms', $4, $5, $6, $7)`,
    [digest, person, lastsMs, issuer, subject, sid, idToken],
  );
}

/**
 * One that ends no later than the one of the browser that let the terminal in, for the same person. Gives who that is; null where the
 * browser's is over.
 */
export async function addTerminalSession(
  { database, at }: Ledger,
  { digest, parent }: { readonly digest: Uint8Array; readonly parent: Uint8Array },
): Promise<string | null> {
  // Locked, so that a browser that signs out meanwhile leaves no session behind.
  const { rows } = await database.query<{ readonly person: string }>(
    `with browser as (
       select * from ${at}.sessions where digest = $2 and ended_at is null and expires_at > ${at}.clock() for share
     )
     insert into ${at}.sessions (digest, parent, person, expires_at, issuer, subject, provider_session)
     select $1, digest, person, expires_at, issuer, subject, provider_session from browser returning person`,
    [digest, parent],
  );
  return rows[0]?.person ?? null;
}

/** How old the note of the last request may get: writing it down each time would cost more than the request. */
const notedEveryMs = 60_000;

/** Whose session it is, with the roles they have now; null where it is over, or they are not wanted any more. */
export async function findSession(
  { database, at }: Ledger,
  digest: Uint8Array,
  { idleMs, isRequest }: Pick<SessionLimits, "idleMs"> & { readonly isRequest: boolean },
): Promise<(KnownPerson & { readonly expiresAt: string }) | null> {
  const { rows } = await database.query<KnownPerson & { readonly expires_at: Date; readonly is_stale: boolean }>(
    `select s.person, p.kind, p.roles, ${ownRolesColumn(at)}, s.expires_at, s.seen_at < ${at}.clock() - $3::float8 * interval '1 ms' as is_stale
     from ${at}.sessions s join ${at}.people p on p.id = s.person
     where s.digest = $1 and s.ended_at is null and p.disabled_at is null and s.expires_at > ${at}.clock()
       and s.seen_at > ${at}.clock() - $2::float8 * interval '1 ms'`,
    [digest, idleMs, Math.min(notedEveryMs, idleMs / 2)],
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row.is_stale && isRequest)
    // Nobody is kept from looking because nothing can be written; noted too seldom, it only ends sooner.
    await database
      .query(`update ${at}.sessions set seen_at = ${at}.clock() where digest = $1`, [digest])
      .catch(() => {});
  const { person, kind, roles, ownRoles } = row;
  return { person, kind, roles, ownRoles, expiresAt: row.expires_at.toISOString() };
}

/** Gives by what the identity provider knows it; null where it came from none, or was over. */
export async function endOneSession({ database, at }: Ledger, digest: Uint8Array): Promise<ProviderSession | null> {
  const { rows } = await database.query<{ [Name in keyof ProviderSession]: ProviderSession[Name] | null }>(
    `update ${at}.sessions s set ended_at = ${at}.clock(), id_token = null
     from (select digest, id_token from ${at}.sessions where digest = $1 and ended_at is null for update) b
     where s.digest = b.digest returning s.issuer, s.subject, s.provider_session as sid, b.id_token as "idToken"`,
    [digest],
  );
  const { issuer = null, subject = null, sid = null, idToken = null } = rows[0] ?? {};
  return issuer === null || subject === null ? null : { issuer, subject, sid, idToken };
}

export async function endSessionsOf({ at }: Ledger, queries: Queries, person: string): Promise<void> {
  await queries.query(
    `update ${at}.sessions set ended_at = ${at}.clock(), id_token = null where person = $1 and ended_at is null`,
    [person],
  );
}
