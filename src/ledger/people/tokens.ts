import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";
import type { KnownPerson } from "./sessions.ts";

export interface Token {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  /** Null: whatever its owner may. */
  readonly operations: readonly string[] | null;
  readonly madeAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  readonly revokedAt: string | null;
}

export interface NewToken extends Pick<Token, "id" | "owner" | "name" | "operations"> {
  readonly digest: Uint8Array;
  readonly lastsMs: number;
}

export async function addToken({ at }: Ledger, queries: Queries, token: NewToken): Promise<string> {
  const { id, digest, owner, name, operations, lastsMs } = token;
  const { rows } = await queries.query<{ expires_at: Date }>(
    `insert into ${at}.tokens (id, digest, owner, name, operations, expires_at)
     values ($1, $2, $3, $4, $5, ${at}.clock() + $6::float8 * interval '1 ms') returning expires_at`,
    [id, digest, owner, name, operations === null ? null : [...operations], lastsMs],
  );
  return rows[0]?.expires_at.toISOString() ?? "";
}

/** A token that holds, with its hash and the roles its owner has now; null where there is none. */
export async function findToken(
  { database, at }: Ledger,
  id: string,
): Promise<(KnownPerson & { readonly digest: Uint8Array; readonly operations: readonly string[] | null }) | null> {
  const { rows } = await database.query<
    KnownPerson & { readonly digest: Uint8Array; readonly operations: readonly string[] | null }
  >(
    `select t.owner as person, p.kind, p.roles, t.digest, t.operations
     from ${at}.tokens t join ${at}.people p on p.id = t.owner
     where t.id = $1 and t.revoked_at is null and p.disabled_at is null and t.expires_at > ${at}.clock()`,
    [id],
  );
  return rows[0] ?? null;
}

/** When it was used last, to the minute: writing it down each time would cost more than the request. */
export async function noteTokenUse({ database, at }: Ledger, id: string): Promise<void> {
  await database.query(
    `update ${at}.tokens set used_at = ${at}.clock()
     where id = $1 and (used_at is null or used_at < ${at}.clock() - interval '1 minute')`,
    [id],
  );
}

/** Of one owner, or of all. */
export async function listTokens({ database, at }: Ledger, owner: string | null): Promise<readonly Token[]> {
  const { rows } = await database.query<TokenRow>(
    `select id, owner, name, operations, made_at, expires_at, used_at, revoked_at from ${at}.tokens
     where $1::text is null or owner = $1 order by made_at desc, id`,
    [owner],
  );
  return rows.map((row) => ({
    id: row.id,
    owner: row.owner,
    name: row.name,
    operations: row.operations,
    madeAt: row.made_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }));
}

interface TokenRow extends Pick<Token, "id" | "owner" | "name" | "operations"> {
  readonly made_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** False where there is none, or it is not that owner's. */
export async function revokeToken(
  { at }: Ledger,
  queries: Queries,
  { id, owner }: { readonly id: string; readonly owner: string | null },
): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.tokens set revoked_at = coalesce(revoked_at, ${at}.clock())
     where id = $1 and ($2::text is null or owner = $2)`,
    [id, owner],
  );
  return count > 0;
}
