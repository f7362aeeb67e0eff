import type { Ledger } from "./ledger.ts";

export interface RequestName {
  readonly actor: string;
  readonly operation: string;
  readonly key: string;
}

/** What is known of a request: new, or what was asked with its key before, and the answer if there is one. */
export type KnownRequest = "new" | { readonly digest: Uint8Array; readonly answer: Uint8Array | null };

/** Writes the request down as under way, unless one of that name is known. */
export async function beginRequest(
  ledger: Ledger,
  request: RequestName,
  { digest, keptMs }: { readonly digest: Uint8Array; readonly keptMs: number },
): Promise<KnownRequest> {
  const { database, at } = ledger;
  const { actor, operation, key } = request;
  await database.query(
    `delete from ${at}.answered_requests where begun_at < ${at}.clock() - $1::float8 * interval '1 ms'`,
    [keptMs],
  );
  const { count } = await database.query(
    `insert into ${at}.answered_requests (actor, operation, key, digest) values ($1, $2, $3, $4) on conflict do nothing`,
    [actor, operation, key, digest],
  );
  if (count > 0) return "new";
  const { rows } = await database.query<{ digest: Uint8Array; answer: Uint8Array | null }>(
    `select digest, answer from ${at}.answered_requests where actor = $1 and operation = $2 and key = $3`,
    [actor, operation, key],
  );
  // Gone between the two: whoever had it was refused, and nothing was done.
  return rows[0] ?? beginRequest(ledger, request, { digest, keptMs });
}

export async function keepAnswer(
  { database, at }: Ledger,
  { actor, operation, key }: RequestName,
  answer: Uint8Array,
): Promise<void> {
  await database.query(
    `update ${at}.answered_requests set answer = $4 where actor = $1 and operation = $2 and key = $3`,
    [actor, operation, key, answer],
  );
}

/** For what was refused: it did nothing, and may be asked again. */
export async function forgetRequest({ database, at }: Ledger, { actor, operation, key }: RequestName): Promise<void> {
  await database.query(
    `delete from ${at}.answered_requests where actor = $1 and operation = $2 and key = $3 and answer is null`,
    [actor, operation, key],
  );
}
