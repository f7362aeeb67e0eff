import { type Database, quoteName } from "../domain/database.ts";
import { decodeHeaders } from "../domain/header-codec.ts";
import { noSuchQueue, type Peeked, type PeekLimits } from "./peek.ts";

interface PeekedRow {
  readonly id: string;
  readonly key: Uint8Array | null;
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
  readonly body: Uint8Array | null;
  readonly size: number;
}

interface Place {
  readonly database: Database;
  readonly schema: string;
}

/** Those that would be taken first, by the index by which they are taken. No row is locked, and no schema is made. */
export async function peekPostgres(
  { database, schema }: Place,
  queue: string,
  { most, bytesEach }: PeekLimits,
): Promise<readonly Peeked[]> {
  const messages = `${quoteName(schema)}.messages`;
  const there = await database.query<{ there: boolean }>("select to_regclass($1) is not null as there", [messages]);
  if (there.rows[0]?.there !== true) throw noSuchQueue(queue);
  const { rows } = await database.query<PeekedRow>(peeking(messages), [queue, most, bytesEach]);
  return rows.map(({ id, key, headers, properties, body, size }) => ({
    position: id,
    message: {
      ...{ key, headers: decodeHeaders(headers), properties: decodeHeaders(properties) },
      body: body ?? new Uint8Array(),
    },
    ...(body === null ? { missingBodyBytes: size } : {}),
  }));
}

/** Queue, how many, bytes of one column: a longer one is not read from its pages. */
function peeking(messages: string): string {
  const short = (column: string) => `case when octet_length(${column}) <= $3::integer then ${column} end as ${column}`;
  const columns = ["key", "headers", "properties", "body"].map(short).join(", ");
  return `select id::text as id, ${columns}, octet_length(body) as size
    from ${messages} where queue = $1 order by behind, due_at, id limit $2::integer`;
}
