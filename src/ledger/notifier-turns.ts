import type { Ledger } from "./ledger.ts";

/** One process's turn to tell a notifier, until its lease lapses: then it is another's. */
export interface NotifierTurn {
  readonly name: string;
  /** How far it was told. */
  readonly n: number;
  /** By when it lapses, as the ledger wrote it: whoever has another has another turn. */
  readonly lease: string;
}

/** Takes the turn to tell a notifier, for a while; null while another process has it. */
export async function takeNotifierTurn(
  { database, at }: Ledger,
  { name, leaseMs }: { readonly name: string; readonly leaseMs: number },
): Promise<NotifierTurn | null> {
  // One that is new is told of what comes, and not of what was.
  await database.query(
    `insert into ${at}.notifier_turns (name, n) select $1, coalesce((select n from ${at}.audit_head), 0) on conflict do nothing`,
    [name],
  );
  const { rows } = await database.query<{ n: string; lease: string }>(
    `update ${at}.notifier_turns set lease_until = ${at}.clock() + $2::float8 * interval '1 ms'
     where name = $1 and lease_until < ${at}.clock() returning n, lease_until::text as lease`,
    [name, leaseMs],
  );
  return rows[0] === undefined ? null : { name, n: Number(rows[0].n), lease: rows[0].lease };
}

/** It was told of everything up to that entry. The turn goes on; null where it is another's by now. */
export async function noteNotified(
  { database, at }: Ledger,
  { name, lease }: NotifierTurn,
  { n, leaseMs }: { readonly n: number; readonly leaseMs: number },
): Promise<NotifierTurn | null> {
  const { rows } = await database.query<{ lease: string }>(
    `update ${at}.notifier_turns set n = greatest(n, $3::bigint), lease_until = ${at}.clock() + $4::float8 * interval '1 ms'
     where name = $1 and lease_until = $2::timestamptz returning lease_until::text as lease`,
    [name, lease, n, leaseMs],
  );
  return rows[0] === undefined ? null : { name, n, lease: rows[0].lease };
}

/** Lets another process go on at once. What is another's turn by now stays that. */
export async function endNotifierTurn({ database, at }: Ledger, { name, lease }: NotifierTurn): Promise<void> {
  await database.query(
    `update ${at}.notifier_turns set lease_until = '-infinity' where name = $1 and lease_until = $2::timestamptz`,
    [name, lease],
  );
}
