import type { Ledger } from "../ledger.ts";

/**
 * Since when nobody has signed in as a person `p`, as an SQL expression: null of agents, and of who has a password here, since no
 * provider could say that they left.
 */
export function unseenSince(at: string): string {
  return `case when p.kind = 'human' and p.password is null
    then (select max(i.seen_at) from ${at}.identities i where i.person = p.id) end`;
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
       and (p.suspension_said_at is null or p.suspension_said_at < s.since)
     returning p.id as owner, s.tokens, s.since + $1::float8 * interval '1 ms' as "suspendsAt"`,
    [afterMs, afterMs - aheadMs],
  );
  return rows;
}
