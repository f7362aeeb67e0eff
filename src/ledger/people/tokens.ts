import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";
import { ownRolesColumn } from "./roles.ts";
import type { KnownPerson } from "./sessions.ts";
import { unseenSince } from "./suspensions.ts";

export interface Token {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  /** Null: whatever its owner may. */
  readonly operations: readonly string[] | null;
  /** Null: wherever its owner may. */
  readonly queues: readonly string[] | null;
  readonly madeAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  readonly revokedAt: string | null;
  /** When its owner signed in last; null where no provider says so. */
  readonly unseenSince: Date | null;
}

export interface NewToken extends Pick<Token, "id" | "owner" | "name" | "operations" | "queues"> {
  readonly digest: Uint8Array;
  readonly lastsMs: number;
}

export async function addToken({ at }: Ledger, queries: Queries, token: NewToken): Promise<string> {
  const { id, digest, owner, name, operations, queues, lastsMs } = token;
  const { rows } = await queries.query<{ expires_at: Date }>(
    `insert into ${at}.tokens (id, digest, owner, name, operations, queues, expires_at)
     values ($1, $2, $3, $4, $5, $6, ${at}.clock() + $7::float8 * interval '1 ms') returning expires_at`,
    [id, digest, owner, name, operations && [...operations], queues && [...queues], lastsMs],
  );
  return rows[0]?.expires_at.toISOString() ?? "";
}

/** A token that holds, with its hash and the roles its owner has now; null where there is none. */
export async function findToken({ database, at }: Ledger, id: string): Promise<KnownToken | null> {
  const { rows } = await database.query<KnownToken>(
    `select t.owner as person, p.kind, p.roles, ${ownRolesColumn(at)}, t.digest, t.operations, t.queues,
       ${unseenSince(at)} as "unseenSince", ${at}.clock() as now
     from ${at}.tokens t join ${at}.people p on p.id = t.owner
     where t.id = $1 and t.revoked_at is null and p.disabled_at is null and t.expires_at > ${at}.clock()`,
    [id],
  );
  return rows[0] ?? null;
}

export interface KnownToken extends KnownPerson, Pick<Token, "operations" | "queues"> {
  readonly digest: Uint8Array;
  /** When its owner signed in last; null where no provider says so. */
  readonly unseenSince: Date | null;
  readonly now: Date;
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
    `select t.id, owner, name, operations, queues, t.made_at, expires_at, used_at, revoked_at, ${unseenSince(at)} as unseen_since
     from ${at}.tokens t join ${at}.people p on p.id = t.owner
     where $1::text is null or owner = $1 order by t.made_at desc, t.id`,
    [owner],
  );
  return rows.map((row) => ({
    id: row.id,
    owner: row.owner,
    name: row.name,
    operations: row.operations,
    queues: row.queues,
    madeAt: row.made_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    unseenSince: row.unseen_since,
  }));
}

interface TokenRow extends Pick<Token, "id" | "owner" | "name" | "operations" | "queues"> {
  readonly made_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly revoked_at: Date | null;
  readonly unseen_since: Date | null;
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

/** All of one owner. */
export async function revokeTokensOf({ at }: Ledger, queries: Queries, owner: string): Promise<void> {
  await queries.query(`update ${at}.tokens set revoked_at = ${at}.clock() where owner = $1 and revoked_at is null`, [
    owner,
  ]);
}
