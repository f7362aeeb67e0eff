import type { Ledger } from "../ledger.ts";

export interface TerminalCode {
  readonly digest: Uint8Array;
  readonly person: string;
  readonly challenge: string;
  readonly lastsMs: number;
}

/** Those that were never used go with the next one. */
export async function addTerminalCode({ database, at }: Ledger, code: TerminalCode): Promise<void> {
  const { digest, person, challenge, lastsMs } = code;
  await database.query(`delete from ${at}.terminal_codes where expires_at <= ${at}.clock()`, []);
  await database.query(
    `insert into ${at}.terminal_codes (digest, person, challenge, expires_at)
     values ($1, $2, $3, ${at}.clock() + $4::float8 * interval '1 ms')`,
    [digest, person, challenge, lastsMs],
  );
}

/** Uses it up, right or wrong: whoever guesses has one try. Null where it does not hold. */
export async function takeTerminalCode(
  { database, at }: Ledger,
  digest: Uint8Array,
): Promise<{ readonly person: string; readonly challenge: string } | null> {
  const { rows } = await database.query<{ person: string; challenge: string; is_over: boolean }>(
    `delete from ${at}.terminal_codes where digest = $1 returning person, challenge, expires_at <= ${at}.clock() as is_over`,
    [digest],
  );
  const [row] = rows;
  return row === undefined || row.is_over ? null : { person: row.person, challenge: row.challenge };
}
