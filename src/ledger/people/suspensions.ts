import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";

/**
 * When a provider last named a person `p` by the identity that gives the roles, as an SQL expression: null where an admin gave them.
 * Another way in, such as a password, says nothing of what they are there.
 */
export function unseenSince(at: string): string {
  return `(select max(i.seen_at) from ${at}.identities i where i.person = p.id and i.gives_roles)`;
}

/** The same of one person, and what the time is there. */
export async function findUnseen(
  { at }: Ledger,
  queries: Queries,
  person: string,
): Promise<{ readonly unseenSince: Date | null; readonly now: Date } | null> {
  const { rows } = await queries.query<{ readonly unseenSince: Date | null; readonly now: Date }>(
    `select ${unseenSince(at)} as "unseenSince", ${at}.clock() as now from ${at}.people p where p.id = $1`,
    [person],
  );
  return rows[0] ?? null;
}

/** Tokens that will be suspended soon, of one owner. */
export interface ComingSuspension {
  readonly owner: string;
  readonly tokens: number;
  readonly suspendsAt: Date;
}

interface SuspensionTimes {
  /** Tokens are suspended this long after their owner was seen, in milliseconds. */
  readonly afterMs: number;
  /** It is said so long before. */
  readonly aheadMs: number;
}

/** Those that nobody was told of yet; from now on they are told of, whichever process asked. */
export async function takeComingSuspensions(
  { database, at }: Ledger,
  { afterMs, aheadMs }: SuspensionTimes,
): Promise<readonly ComingSuspension[]> {
  const { rows } = await database.query<ComingSuspension>(
    `with seen as (
       select p.id, ${unseenSince(at)} as since,
         (select count(*)::integer from ${at}.tokens t
          where t.owner = p.id and t.revoked_at is null and t.expires_at > ${at}.clock()) as tokens
       from ${at}.people p where p.disabled_at is null
     )
     update ${at}.people p set suspension_said_at = ${at}.clock() from seen s
     where p.id = s.id and s.tokens > 0 and s.since <= ${at}.clock() - $2::float8 * interval '1 ms'
       and s.since > ${at}.clock() - $1::float8 * interval '1 ms'
       and (p.suspension_said_at is null or p.suspension_said_at < s.since)
     returning p.id as owner, s.tokens, s.since + $1::float8 * interval '1 ms' as "suspendsAt"`,
    [afterMs, afterMs - aheadMs],
  );
  return rows;
}
