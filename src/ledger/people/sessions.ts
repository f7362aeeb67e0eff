import type { Queries } from "../../domain/database.ts";
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

/** From now on, in milliseconds; or until a moment. */
type Lasting = { readonly ms: number } | { readonly until: string };

export async function addSession(
  { database, at }: Ledger,
  { digest, person, lasts }: { readonly digest: Uint8Array; readonly person: string; readonly lasts: Lasting },
): Promise<void> {
  const [ms, until] = "ms" in lasts ? [lasts.ms, null] : [null, lasts.until];
  await database.query(
    `insert into ${at}.sessions (digest, person, expires_at)
     values ($1, $2, coalesce($4::timestamptz, ${at}.clock() + $3::float8 * interval '1 ms'))`,
    [digest, person, ms, until],
  );
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

export async function endOneSession({ database, at }: Ledger, digest: Uint8Array): Promise<void> {
  await database.query(`update ${at}.sessions set ended_at = ${at}.clock() where digest = $1 and ended_at is null`, [
    digest,
  ]);
}

export async function endSessionsOf({ at }: Ledger, queries: Queries, person: string): Promise<void> {
  await queries.query(`update ${at}.sessions set ended_at = ${at}.clock() where person = $1 and ended_at is null`, [
    person,
  ]);
}
