import type { Queries } from "../../domain/database.ts";
import type { EndedThere } from "../../domain/identity.ts";
import type { Ledger } from "../ledger.ts";

/** Remembers a message of back-channel logout; false where it was carried out before. */
export async function rememberLogout(
  { at }: Ledger,
  queries: Queries,
  { digest, validUntil }: { readonly digest: Uint8Array; readonly validUntil: number },
): Promise<boolean> {
  await queries.query(`delete from ${at}.logout_messages where valid_until < ${at}.clock()`, []);
  const { count } = await queries.query(
    `insert into ${at}.logout_messages (digest, valid_until) values ($1, $2) on conflict do nothing`,
    [digest, new Date(validUntil)],
  );
  return count > 0;
}

/**
 * Ends the sessions that a provider says are over, and gives whose they were. Where it names a session, one that we know without that name
 * ends with its person's: rather one too many than one that goes on.
 */
export async function endSessionsThere(
  { at }: Ledger,
  queries: Queries,
  { issuer, subject, sid }: Pick<EndedThere, "issuer" | "subject" | "sid">,
): Promise<readonly string[]> {
  const theirs = `issuer = $1 and ($2::text is null or subject = $2)
    and ($3::text is null or provider_session = $3 or (provider_session is null and $2::text is not null))`;
  const { rows } = await queries.query<{ person: string }>(
    `update ${at}.sessions set ended_at = ${at}.clock(), id_token = null where ${theirs} and ended_at is null returning person`,
    [issuer, subject, sid],
  );
  return [...new Set(rows.map(({ person }) => person))];
}

/** How long an end is remembered, in milliseconds: a sign-in that began before it comes within that time, or not at all. */
const rememberedMs = 600_000;

/** Remembers that what these name is over, for sign-ins that were under way. */
export async function rememberEnds(
  { at }: Ledger,
  queries: Queries,
  { digests, endedAt }: { readonly digests: readonly Uint8Array[]; readonly endedAt: number },
): Promise<void> {
  for (const digest of digests)
    await queries.query(
      `insert into ${at}.logout_messages (digest, valid_until) values ($1, $2)
       on conflict (digest) do update set valid_until = greatest(logout_messages.valid_until, excluded.valid_until)`,
      [digest, new Date(endedAt + rememberedMs)],
    );
}

/** Whether any of these was over at that moment, or later. */
export async function hasEndedSince(
  { at }: Ledger,
  queries: Queries,
  { digests, issuedAt }: { readonly digests: readonly Uint8Array[]; readonly issuedAt: number },
): Promise<boolean> {
  const { rows } = await queries.query(
    `select 1 from ${at}.logout_messages where digest = any ($1::bytea[]) and valid_until >= $2`,
    [digests.map((digest) => Buffer.from(digest)), new Date(issuedAt + rememberedMs)],
  );
  return rows.length > 0;
}
