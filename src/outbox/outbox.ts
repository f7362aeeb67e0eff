import type { NewId } from "../domain/clock.ts";
import { quoteName } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { encodeHeaders } from "../domain/header-codec.ts";
import { carriedKey } from "../domain/idempotency.ts";
import {
  type Address,
  type Header,
  headerText,
  type Message,
  queueName,
  replaceHeaders,
  textHeader,
} from "../domain/message.ts";
import { requireOneOf, requireOption, withDefaults } from "../domain/options.ts";
import { wire, wireCaps } from "../domain/wire.ts";
import { defaultSchema, requireSchemaName } from "../schema/migrate.ts";
import { systemHost } from "../system/host.ts";
import { laneOf } from "../transports/postgres/lane.ts";
import { channelOf } from "./channel.ts";

export interface OutboxOptions {
  /** Where the tables are. They are made by `migrate`, or by a relay when it starts. @default "dlo" */
  readonly schema?: string;
  /**
   * What messages with the same destination and key are ordered by. "commit": the order in which their transactions
   * commit; `add` waits for a transaction that added the same key and is still open. "none": nothing; nobody waits.
   * @default "commit"
   */
  readonly order?: "commit" | "none";
  /**
   * Wakes relays with the commit instead of letting them find out at their next look. PostgreSQL lets only one
   * transaction of the whole server commit at a time among those that notify: not for hundreds of commits a second.
   * @default false
   */
  readonly notify?: boolean;
  /** Makes idempotency keys for messages that carry none. @default the host's */
  readonly newId?: NewId;
}

export const outboxDefaults: Required<OutboxOptions> = {
  schema: defaultSchema,
  order: "commit",
  notify: false,
  newId: systemHost.newId,
};

/** A message on its way out. */
export interface OutboxMessage {
  /** Where it is to be sent: a queue's name, or an address. */
  readonly to: string | Address;
  /** Those with the same `key` and destination are sent in order. */
  readonly message: Message;
  /**
   * What the consumer's inbox knows it by, however often it is sent; at most 512 bytes.
   * @default the one the message carries (`dlo-key`, `idempotency-key`, property `message-id`), else a new one
   */
  readonly idempotencyKey?: string;
}

/** Asks a database in a transaction that is open: how to do so with whatever holds that transaction. */
export type OutboxQuery = (text: string, values: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;

/** An open transaction: pg's client, PGlite's transaction, a handler's `tx`, or a function that asks it. */
export type OutboxTransaction = OutboxQuery | { query: OutboxQuery };

export interface Outbox {
  /**
   * Writes the message in the transaction that is open on `transaction`: it is sent if and only if that commits.
   * Resolves to its idempotency key. When it rejects, the transaction is to be rolled back.
   */
  add(transaction: OutboxTransaction, outgoing: OutboxMessage): Promise<string>;
}

/**
 * Messages that are sent if and only if a transaction commits. They are written in that transaction; a relay
 * (`createOutboxRelay`) sends them afterwards.
 *
 * @example
 * const box = outbox();
 * await client.query("begin");
 * await client.query("insert into orders (id) values ($1)", [7]);
 * await box.add(client, { to: "orders", message: makeMessage({ body: '{"id":7}', key: "7" }) });
 * await client.query("commit");
 */
export function outbox(options?: OutboxOptions): Outbox {
  const { schema, order, notify, newId } = withDefaults(outboxDefaults, options);
  requireSchemaName(schema);
  requireOneOf("order", order, ["commit", "none"]);
  const text = `select ${quoteName(schema)}.add_to_outbox(
    $1::text, $2::text, $3::text, $4::bytea, $5::bytea, $6::bytea, $7::bytea, $8::text) as id`;
  const channel = notify ? channelOf(schema) : null;
  return {
    async add(transaction, { to, message, idempotencyKey }) {
      const query = queryOf(transaction);
      const address = requireAddress(to);
      const own = ownHeaders(message.headers, address);
      const carried = idempotencyKey === undefined ? carriedKey({ ...message, headers: own }) : undefined;
      const key = carried ?? requireKey(idempotencyKey ?? newId());
      const headers = carried === undefined ? replaceHeaders(own, [textHeader(wire.key, key)]) : own;
      const lane = order === "commit" ? laneOf(laneScope(schema, address), message.key) : null;
      const place = [address.name, address.group ?? null, lane === null ? null : String(lane)];
      const columns = [message.key, encodeHeaders(headers), encodeHeaders(message.properties), message.body];
      await write(query, text, [...place, ...columns, channel], schema);
      return key;
    },
  };
}

/**
 * Services copy headers onto what they send. Those that tell of a message of another queue are left behind, its identity
 * above all: three follow-ups of one message would be taken for one and the same.
 */
function ownHeaders(headers: readonly Header[], to: Address): readonly Header[] {
  const copiedFrom = headerText(headers, wire.queue);
  if (copiedFrom === undefined || copiedFrom === queueName(to)) return headers;
  const names = new Set<string>(Object.values(wire));
  return headers.filter(({ name }) => !names.has(name));
}

/** Lanes are locks of the whole database: those of the queues themselves, and of other schemas, are others. */
function laneScope(schema: string, address: Address): string {
  return `outbox ${schema} ${queueName(address)}`;
}

async function write(query: OutboxQuery, text: string, values: unknown[], schema: string): Promise<void> {
  let written: number;
  try {
    written = (await query(text, values)).rows.length;
  } catch (error) {
    throw isMissing(error) ? noTables(schema, error) : error;
  }
  // A function that builds a query and does not run it would lose the message without a word.
  if (written !== 1)
    throw new OfficeError("STORE_UNAVAILABLE", "The query for the outbox was not run: no row came back.");
}

function queryOf(transaction: OutboxTransaction): OutboxQuery {
  if (typeof transaction === "function") return transaction;
  const known = typeof transaction?.query === "function";
  requireOption(known, "transaction", "pg's client, PGlite's transaction, or a function that asks the database");
  // Given in the place of a transaction by mistake, each of these would commit the message by itself.
  const whole = "transaction" in transaction || "totalCount" in transaction;
  const remedy = "To send without one, pass a function that asks it";
  requireOption(!whole, "transaction", `the open transaction, not the database or its pool. ${remedy}`);
  return (text, values) => transaction.query(text, values);
}

function requireAddress(to: string | Address): Address {
  const address = typeof to === "string" ? { name: to } : to;
  const names = [address?.name, address?.group ?? "-"];
  const fits = names.every((name) => typeof name === "string" && name !== "" && !name.includes("\0"));
  requireOption(fits, "to", "a queue's name, or an address");
  return address;
}

function requireKey(key: string): string {
  const fits = typeof key === "string" && key !== "" && Buffer.byteLength(key) <= wireCaps.key;
  requireOption(fits, "idempotencyKey", `text of 1 to ${wireCaps.key} bytes`, key);
  return key;
}

/** No such schema, table or function. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["3F000", "42P01", "42883"].includes(String(error.code));
}

function noTables(schema: string, cause: unknown): OfficeError {
  const sentence = `The schema "${schema}" has no outbox. Make it before the first message, with: migrate({ database, schema }).`;
  return new OfficeError("STORE_UNAVAILABLE", sentence, { details: { schema }, cause });
}
