import type { PendingSignIn } from "../../domain/identity.ts";
import type { Ledger } from "../ledger.ts";

export interface StoredSignIn extends Omit<PendingSignIn, "state"> {
  /** Of what the provider brings back and of what the browser has. */
  readonly digest: Uint8Array;
  /** The page that was asked for. */
  readonly to: string;
  /** The network that the browser is in. */
  readonly address: string;
  readonly lastsMs: number;
}

/** How many are kept, so that whoever begins without end fills neither the database nor the place of everyone else. */
export interface PendingLimits {
  readonly ofAddress: number;
  readonly ofAll: number;
}

/** Those whose time is over go first, then the oldest beyond the limits: a new one is never refused for others. */
export async function addPendingSignIn(
  { database, at }: Ledger,
  stored: StoredSignIn,
  { ofAddress, ofAll }: PendingLimits,
): Promise<void> {
  const { digest, nonce, verifier, prompt, to, address, lastsMs } = stored;
  await database.query(`delete from ${at}.pending_sign_ins where expires_at <= ${at}.clock()`, []);
  await database.query(
    `insert into ${at}.pending_sign_ins (digest, nonce, verifier, prompt, leads_to, address, expires_at)
     values ($1, $2, $3, $4, $5, $6, ${at}.clock() + $7::float8 * interval '1 ms')`,
    [digest, nonce, verifier, prompt, to, address, lastsMs],
  );
  await database.query(
    `delete from ${at}.pending_sign_ins where digest in (
       select digest from ${at}.pending_sign_ins where address = $1 order by expires_at desc offset $2::int)`,
    [address, ofAddress],
  );
  await database.query(
    `delete from ${at}.pending_sign_ins where digest in (
       select digest from ${at}.pending_sign_ins order by expires_at desc offset $1::int)`,
    [ofAll],
  );
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
