import type { Ledger } from "../ledger.ts";

/** A session that its provider is to be asked about. */
export interface DueCheck {
  readonly digest: Uint8Array;
  readonly person: string;
  readonly issuer: string;
  readonly subject: string;
  /** The session's name at the provider; null where it has none there. */
  readonly sid: string | null;
  /** Sealed. */
  readonly refreshToken: Uint8Array;
}

interface DueChecks {
  readonly issuer: string;
  readonly everyMs: number;
  /** Sessions without a request for so long, of their terminals neither, are over anyway. */
  readonly idleMs: number;
  readonly limit: number;
  /** Those that were taken before in this round, in hexadecimal. */
  readonly tried: readonly string[];
}

/**
 * When a session `s`, or one of the terminals that it let in, was last used, as an SQL expression. A terminal goes on where its browser was
 * closed; the browser's token is the only one by which its provider can be asked.
 */
function lastUse(at: string): string {
  return `greatest(s.seen_at, (select max(t.seen_at) from ${at}.sessions t where t.parent = s.digest and t.ended_at is null))`;
}

/** From now on it is checked every so often. */
export async function keepRefreshToken(
  { database, at }: Ledger,
  { digest, refreshToken, everyMs }: Pick<DueCheck, "digest" | "refreshToken"> & Pick<DueChecks, "everyMs">,
): Promise<void> {
  await database.query(
    `update ${at}.sessions set refresh_token = $2, check_at = ${at}.clock() + $3::float8 * interval '1 ms'
     where digest = $1 and ended_at is null`,
    [digest, refreshToken, everyMs],
  );
}

/** Those whose time has come, each to one process; whoever takes one and dies leaves it for the next time. */
export async function takeDueChecks(
  { database, at }: Ledger,
  { issuer, everyMs, idleMs, limit, tried }: DueChecks,
): Promise<readonly DueCheck[]> {
  const { rows } = await database.query<DueCheck>(
    `update ${at}.sessions set check_at = ${at}.clock() + $2::float8 * interval '1 ms'
     where digest in (
       select digest from ${at}.sessions s
       where refresh_token is not null and ended_at is null and check_at <= ${at}.clock() and issuer = $1
         and expires_at > ${at}.clock() and ${lastUse(at)} > ${at}.clock() - $3::float8 * interval '1 ms'
         and encode(digest, 'hex') <> all ($5::text[])
       order by check_at limit $4 for update skip locked
     )
     returning digest, person, issuer, subject, provider_session as sid, refresh_token as "refreshToken"`,
    [issuer, everyMs, idleMs, limit, [...tried]],
  );
  return rows;
}

/** What is over by its time needs no token any more. */
export async function forgetLapsedTokens(
  { database, at }: Ledger,
  { idleMs }: Pick<DueChecks, "idleMs">,
): Promise<void> {
  await database.query(
    `update ${at}.sessions s set refresh_token = null
     where refresh_token is not null and ended_at is null
       and (expires_at <= ${at}.clock() or ${lastUse(at)} <= ${at}.clock() - $1::float8 * interval '1 ms')`,
    [idleMs],
  );
}

/** Its provider has just said that it goes on. */
export async function noteChecked({ database, at }: Ledger, digest: Uint8Array): Promise<void> {
  await database.query(`update ${at}.sessions set checked_at = ${at}.clock() where digest = $1`, [digest]);
}

/** For another process, which may have the key that its token was sealed with. */
export async function handBackCheck({ database, at }: Ledger, digest: Uint8Array): Promise<void> {
  await database.query(`update ${at}.sessions set check_at = ${at}.clock() where digest = $1`, [digest]);
}

/** Ends sessions whose provider has not said for so long that they go on. */
export async function endUnchecked({ database, at }: Ledger, uncheckedMs: number): Promise<void> {
  await database.query(
    `update ${at}.sessions set ended_at = ${at}.clock(), id_token = null
     where refresh_token is not null and ended_at is null
       and coalesce(checked_at, made_at) <= ${at}.clock() - $1::float8 * interval '1 ms'`,
    [uncheckedMs],
  );
}
