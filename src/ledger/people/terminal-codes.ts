import type { Ledger } from "../ledger.ts";

export interface TerminalCode {
  readonly digest: Uint8Array;
  readonly challenge: string;
  /** Of the browser that lets the terminal in. */
  readonly session: Uint8Array;
}

/**
 * Those that were never used go with the next one. False where the browser's session is over, or is a terminal's own: each could let the
 * next one in, and none would have to sign in.
 */
export async function addTerminalCode(
  { database, at }: Ledger,
  { digest, challenge, session, lastsMs }: TerminalCode & { readonly lastsMs: number },
): Promise<boolean> {
  await database.query(`delete from ${at}.terminal_codes where expires_at <= ${at}.clock()`, []);
  // Locked, so that a browser that signs out meanwhile leaves no code behind.
  const { count } = await database.query(
    `insert into ${at}.terminal_codes (digest, challenge, session, person, expires_at)
     select $1, $2, s.digest, s.person, ${at}.clock() + $4::float8 * interval '1 ms' from ${at}.sessions s
     where s.digest = $3 and s.parent is null and s.ended_at is null and s.expires_at > ${at}.clock() for share`,
    [digest, challenge, session, lastsMs],
  );
  return count > 0;
}

/** Uses it up, right or wrong: whoever guesses has one try. Null where it does not hold. */
export async function takeTerminalCode(
  { database, at }: Ledger,
  digest: Uint8Array,
): Promise<Omit<TerminalCode, "digest"> | null> {
  const { rows } = await database.query<Omit<TerminalCode, "digest"> & { readonly isOver: boolean }>(
    `delete from ${at}.terminal_codes where digest = $1
     returning challenge, session, expires_at <= ${at}.clock() as "isOver"`,
    [digest],
  );
  const [row] = rows;
  if (row === undefined || row.isOver) return null;
  return { challenge: row.challenge, session: row.session };
}
