import type { Queries } from "../domain/database.ts";
import type { KeyPlace } from "../domain/key-place.ts";
import type { Ledger } from "./ledger.ts";

/** A broker or job framework that was connected while the office ran. Its addresses are sealed. */
export interface AddedSource {
  readonly name: string;
  readonly broker: string;
  readonly url: Uint8Array;
  readonly management: Uint8Array | null;
  /** The address without what lets somebody in. */
  readonly shown: string;
  readonly schema: string | null;
  readonly prefix: string | null;
  readonly transports: Readonly<Record<string, string>> | null;
  readonly owner: string | null;
  readonly queues: readonly AddedQueue[];
  /** Where consumers find the idempotency key; null: where senders usually put it. */
  readonly key: KeyPlace | null;
  /** Where its ordered consumers keep their blocked keys; null: in its own database if it is PostgreSQL, else unknown. */
  readonly keys: AddedKeys | null;
  /** The address of `keys`, if no source is named; null: one is, or they are not known. */
  readonly keysUrl: Uint8Array | null;
}

/** Of another source, or of a database: its address without what lets somebody in, and the schema. */
export type AddedKeys = { readonly source: string } | { readonly shown: string; readonly schema: string };

export interface AddedQueue {
  readonly match: string;
  readonly mode: "observe" | "drain";
}

const columns = "name, broker, url, management, shown, schema, prefix, transports, owner, queues, key, keys";

export async function listAddedSources({ database, at }: Ledger): Promise<readonly AddedSource[]> {
  const { rows } = await database.query<AddedSource>(
    `select ${columns}, keys_url as "keysUrl" from ${at}.added_sources order by name`,
    [],
  );
  return rows;
}

/** False where the name is taken. */
export async function insertAddedSource(
  { at }: Ledger,
  queries: Queries,
  { by, ...source }: AddedSource & { readonly by: string },
): Promise<boolean> {
  const { name, broker, url, management, shown, schema, prefix, transports, owner, queues, key, keys, keysUrl } =
    source;
  const { count } = await queries.query(
    `insert into ${at}.added_sources (${columns}, keys_url, added_by) values
       ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10::jsonb, $11::jsonb, $12::jsonb, $13, $14)
     on conflict do nothing`,
    [
      ...[name, broker, url, management, shown, schema, prefix, jsonOrNull(transports), owner],
      ...[JSON.stringify(queues), jsonOrNull(key), jsonOrNull(keys), keysUrl, by],
    ],
  );
  return count > 0;
}

/** What is not given stays as it is. False where there is none of that name. */
export async function changeAddedSource(
  { at }: Ledger,
  queries: Queries,
  { name, queues, address, management, schema, prefix, transports, key, keys }: AddedSourceChange,
): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.added_sources set changed_at = ${at}.clock(), queues = coalesce($2::jsonb, queues),
       url = coalesce($3, url), shown = coalesce($4, shown),
       management = case when $5::boolean then $6 else management end,
       schema = case when $7::boolean then $8 else schema end,
       prefix = case when $9::boolean then $10 else prefix end,
       transports = case when $11::boolean then $12::jsonb else transports end,
       key = case when $13::boolean then $14::jsonb else key end,
       keys = case when $15::boolean then $16::jsonb else keys end,
       keys_url = case when $15::boolean then $17 else keys_url end
     where name = $1`,
    [
      ...[name, jsonOrNull(queues), address?.url ?? null, address?.shown ?? null],
      ...[management !== undefined, management ?? null, schema !== undefined, schema ?? null],
      ...[prefix !== undefined, prefix ?? null, transports !== undefined, jsonOrNull(transports)],
      ...[key !== undefined, jsonOrNull(key)],
      ...[keys !== undefined, jsonOrNull(keys?.keys), keys?.keysUrl ?? null],
    ],
  );
  return count > 0;
}

export interface AddedSourceChange extends Pick<AddedSource, "name"> {
  readonly queues?: readonly AddedQueue[] | undefined;
  readonly address?: Pick<AddedSource, "url" | "shown"> | undefined;
  /** Null: it is where it usually is. */
  readonly management?: Uint8Array | null | undefined;
  /** Null: the usual one. */
  readonly schema?: string | null | undefined;
  readonly prefix?: AddedSource["prefix"] | undefined;
  readonly transports?: AddedSource["transports"] | undefined;
  /** Null: where senders usually put it. */
  readonly key?: AddedSource["key"] | undefined;
  readonly keys?: Pick<AddedSource, "keys" | "keysUrl"> | undefined;
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** False where there is none of that name. Its letters stay. */
export async function removeAddedSource({ at }: Ledger, queries: Queries, name: string): Promise<boolean> {
  const { count } = await queries.query(`delete from ${at}.added_sources where name = $1`, [name]);
  return count > 0;
}
