import type { Ledger } from "./ledger.ts";

/** Takes the turn to tell a notifier, for a while; gives how far it was told, or null while another process has it. */
export async function takeNotifierTurn(
  { database, at }: Ledger,
  { name, leaseMs }: { readonly name: string; readonly leaseMs: number },
): Promise<number | null> {
  // One that is new is told of what comes, and not of what was.
  await database.query(
    `insert into ${at}.notifier_turns (name, n) select $1, coalesce((select n from ${at}.audit_head), 0) on conflict do nothing`,
    [name],
  );
  const { rows } = await database.query<{ n: string }>(
    `update ${at}.notifier_turns set lease_until = ${at}.clock() + $2::float8 * interval '1 ms'
     where name = $1 and lease_until < ${at}.clock() returning n`,
    [name, leaseMs],
  );
  return rows[0] === undefined ? null : Number(rows[0].n);
}

/** It was told of everything up to that entry. The turn goes on. */
export async function noteNotified(
  { database, at }: Ledger,
  { name, n, leaseMs }: { readonly name: string; readonly n: number; readonly leaseMs: number },
): Promise<void> {
  await database.query(
    `update ${at}.notifier_turns set n = greatest(n, $2::bigint), lease_until = ${at}.clock() + $3::float8 * interval '1 ms'
     where name = $1`,
    [name, n, leaseMs],
  );
}

export async function endNotifierTurn({ database, at }: Ledger, name: string): Promise<void> {
  await database.query(`update ${at}.notifier_turns set lease_until = '-infinity' where name = $1`, [name]);
}
