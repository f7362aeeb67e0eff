import type { Ledger } from "../ledger.ts";
import { namesOf, type ProviderNames, type ProviderRow, providerColumns, providerOf } from "./sessions.ts";

export interface TerminalCode {
  readonly digest: Uint8Array;
  readonly person: string;
  readonly challenge: string;
  readonly lastsMs: number;
  /** When the session ends that the code is for. */
  readonly sessionUntil: string;
  /** By which the provider knows that session; null where there is none. */
  readonly provider: ProviderNames | null;
}

/** Those that were never used go with the next one. */
export async function addTerminalCode({ database, at }: Ledger, code: TerminalCode): Promise<void> {
  const { digest, person, challenge, lastsMs, sessionUntil, provider } = code;
  await database.query(`delete from ${at}.terminal_codes where expires_at <= ${at}.clock()`, []);
  await database.query(
    `insert into ${at}.terminal_codes (digest, person, challenge, session_until, expires_at, issuer, subject, provider_session)
     values ($1, $2, $3, $4, ${at}.clock() + $5::float8 * interval '1 ms', $6, $7, $8)`,
    [digest, person, challenge, sessionUntil, lastsMs, ...namesOf(provider)],
  );
}

/** Uses it up, right or wrong: whoever guesses has one try. Null where it does not hold. */
export async function takeTerminalCode(
  { database, at }: Ledger,
  digest: Uint8Array,
): Promise<Pick<TerminalCode, "person" | "challenge" | "sessionUntil" | "provider"> | null> {
  const { rows } = await database.query<
    ProviderRow & { person: string; challenge: string; until: Date | null; is_over: boolean }
  >(
    `delete from ${at}.terminal_codes s where digest = $1
     returning person, challenge, ${providerColumns}, session_until as until, expires_at <= ${at}.clock() as is_over`,
    [digest],
  );
  const [row] = rows;
  if (row === undefined || row.is_over || row.until === null) return null;
  return {
    person: row.person,
    challenge: row.challenge,
    sessionUntil: row.until.toISOString(),
    provider: providerOf(row),
  };
}
