import type { Ledger } from "../ledger.ts";

export interface SignInTry {
  readonly account: string;
  readonly address: string;
  readonly windowMs: number;
}

/** Tries within the window, the one just written down among them. */
export interface TryCounts {
  readonly ofAccount: number;
  readonly ofAddress: number;
}

/** Written down before the password is looked at: of many at once, none slips through uncounted. */
export async function addTry({ database, at }: Ledger, { account, address, windowMs }: SignInTry): Promise<TryCounts> {
  await database.query(`insert into ${at}.sign_in_tries (account, address) values ($1, $2)`, [account, address]);
  const since = `${at}.clock() - $3::float8 * interval '1 ms'`;
  const { rows } = await database.query<{ of_account: string; of_address: string }>(
    `select (select count(*) from ${at}.sign_in_tries where account = $1 and at > ${since}) as of_account,
       (select count(*) from ${at}.sign_in_tries where address = $2 and at > ${since}) as of_address`,
    [account, address, windowMs],
  );
  return { ofAccount: Number(rows[0]?.of_account), ofAddress: Number(rows[0]?.of_address) };
}

/** After a sign-in that succeeded: that account's from that address, and whatever is long past. */
export async function forgetTries({ database, at }: Ledger, { account, address, windowMs }: SignInTry): Promise<void> {
  await database.query(
    `delete from ${at}.sign_in_tries
     where (account = $1 and address = $2) or at < ${at}.clock() - $3::float8 * interval '1 ms'`,
    [account, address, windowMs],
  );
}
