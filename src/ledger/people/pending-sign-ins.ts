import type { PendingSignIn } from "../../domain/identity.ts";
import type { Ledger } from "../ledger.ts";

export interface StoredSignIn extends Omit<PendingSignIn, "state"> {
  /** Of what the provider brings back and of what the browser has. */
  readonly digest: Uint8Array;
  /** The page that was asked for. */
  readonly to: string;
  /** Where the browser is. */
  readonly address: string;
  readonly lastsMs: number;
}

/** False where that many are under way from there already. Those that were never finished go first. */
export async function addPendingSignIn({ database, at }: Ledger, stored: StoredSignIn, most: number): Promise<boolean> {
  const { digest, nonce, verifier, prompt, to, address, lastsMs } = stored;
  await database.query(`delete from ${at}.pending_sign_ins where expires_at <= ${at}.clock()`, []);
  const { count } = await database.query(
    `insert into ${at}.pending_sign_ins (digest, nonce, verifier, prompt, leads_to, address, expires_at)
     select $1::bytea, $2::text, $3::text, $4::text, $5::text, $6::text, ${at}.clock() + $7::float8 * interval '1 ms'
     where (select count(*) from ${at}.pending_sign_ins p where p.address = $6::text) < $8::int`,
    [digest, nonce, verifier, prompt, to, address, lastsMs, most],
  );
  return count > 0;
}

/** Uses it up; null where there is none, or its time is over. */
export async function takePendingSignIn(
  { database, at }: Ledger,
  digest: Uint8Array,
): Promise<Pick<StoredSignIn, "nonce" | "verifier" | "prompt" | "to"> | null> {
  const { rows } = await database.query<
    Pick<StoredSignIn, "nonce" | "verifier" | "prompt" | "to"> & { isOver: boolean }
  >(
    `delete from ${at}.pending_sign_ins where digest = $1
     returning nonce, verifier, prompt, leads_to as "to", expires_at <= ${at}.clock() as "isOver"`,
    [digest],
  );
  const [row] = rows;
  return row === undefined || row.isOver ? null : row;
}
