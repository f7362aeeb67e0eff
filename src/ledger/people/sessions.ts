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

/** By which a session is known at the identity provider that it came from. */
export type ProviderNames = Omit<ProviderSession, "idToken">;

/** From now on, in milliseconds; or until a moment. */
type Lasting = { readonly ms: number } | { readonly until: string };

interface NewSession {
  readonly digest: Uint8Array;
  readonly person: string;
  readonly lasts: Lasting;
  /** Null where no identity provider was asked. */
  readonly provider: (ProviderNames & Partial<ProviderSession>) | null;
}

export async function addSession(
  { database, at }: Ledger,
  { digest, person, lasts, provider }: NewSession,
): Promise<void> {
  const [ms, until] = "ms" in lasts ? [lasts.ms, null] : [null, lasts.until];
  await database.query(
    `insert into ${at}.sessions (digest, person, expires_at, issuer, subject, provider_session, id_token)
     values ($1, $2, coalesce($4::timestamptz, ${at}.clock() + $3::float8 * interval '1 ms'), $5, $6, $7, $8)`,
    [digest, person, ms, until, ...namesOf(provider), provider?.idToken ?? null],
  );
}

export function namesOf(provider: ProviderNames | null): readonly (string | null)[] {
  return provider === null ? [null, null, null] : [provider.issuer, provider.subject, provider.sid];
}

/** How old the note of the last request may get: writing it down each time would cost more than the request. */
const notedEveryMs = 60_000;

/** Whose session it is, with the roles they have now; null where it is over, or they are not wanted any more. */
export async function findSession(
  { database, at }: Ledger,
  digest: Uint8Array,
  { idleMs, isRequest }: Pick<SessionLimits, "idleMs"> & { readonly isRequest: boolean },
): Promise<(KnownPerson & { readonly expiresAt: string; readonly provider: ProviderNames | null }) | null> {
  const { rows } = await database.query<
    KnownPerson & ProviderRow & { readonly expires_at: Date; readonly is_stale: boolean }
  >(
    `select s.person, p.kind, p.roles, ${ownRolesColumn(at)}, ${providerColumns}, s.expires_at, s.seen_at < ${at}.clock() - $3::float8 * interval '1 ms' as is_stale
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
  return { person, kind, roles, ownRoles, expiresAt: row.expires_at.toISOString(), provider: providerOf(row) };
}

/** Gives by what the identity provider knows it; null where it came from none, or was over. */
export async function endOneSession({ database, at }: Ledger, digest: Uint8Array): Promise<ProviderSession | null> {
  const { rows } = await database.query<ProviderRow & { readonly idToken: string | null }>(
    `update ${at}.sessions s set ended_at = ${at}.clock(), id_token = null
     from (select digest, id_token from ${at}.sessions where digest = $1 and ended_at is null for update) b
     where s.digest = b.digest returning ${providerColumns}, b.id_token as "idToken"`,
    [digest],
  );
  const [row] = rows;
  const provider = providerOf(row);
  return provider === null ? null : { ...provider, idToken: row?.idToken ?? null };
}

export interface ProviderRow {
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly sid: string | null;
}

export const providerColumns = `s.issuer, s.subject, s.provider_session as sid`;

export function providerOf(row: ProviderRow | undefined): ProviderNames | null {
  const { issuer = null, subject = null, sid = null } = row ?? {};
  return issuer === null || subject === null ? null : { issuer, subject, sid };
}

export async function endSessionsOf({ at }: Ledger, queries: Queries, person: string): Promise<void> {
  await queries.query(
    `update ${at}.sessions set ended_at = ${at}.clock(), id_token = null where person = $1 and ended_at is null`,
    [person],
  );
}
