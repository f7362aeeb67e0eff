import type { Clock } from "../domain/clock.ts";
import { type Database, quoteName } from "../domain/database.ts";
import { decodeHeaders } from "../domain/header-codec.ts";
import type { Address, Message } from "../domain/message.ts";
import { prepareSchema } from "../schema/migrate.ts";
import { answerWithin } from "../transports/answering-link.ts";
import { arrayLiteral } from "../transports/postgres/message-block.ts";

/** A message that a relay has claimed. */
export interface Claimed {
  readonly id: string;
  /** The claim it is out on: what is said about it under an older one changes nothing. */
  readonly claim: string;
  /** Those of one lane are sent one after the other; null where order is of no concern. */
  readonly lane: string | null;
  readonly to: Address;
  readonly message: Message;
  /** Sends that failed before. */
  readonly tries: number;
  /** How many of them because the broker will not have it. */
  readonly refusals: number;
}

/** What became of a claimed message. */
export interface Settled {
  readonly id: string;
  readonly claim: string;
  /** "failed", "refused": to be sent again after the delay. "unsent": nobody tried, and another may at once. */
  readonly outcome: "sent" | "failed" | "refused" | "set aside" | "unsent";
  readonly delayMs: number;
  /** Empty where there is none. */
  readonly error: string;
}

/** How far sending is behind committing. */
export interface OutboxLag {
  /** Messages not sent yet, those set aside left out. */
  readonly waiting: number;
  /** How long the oldest of them has waited, in milliseconds; 0 where there is none. */
  readonly oldestMs: number;
  /** Messages that somebody must decide about. Those behind them in their lanes are waiting. */
  readonly setAside: number;
}

/** A message that the transport refused too often. Later ones of its key wait for what is decided about it. */
export interface SetAsideMessage {
  readonly id: string;
  readonly to: Address;
  readonly message: Message;
  /** Sends that failed. */
  readonly tries: number;
  /** What the last one failed with. */
  readonly error: string;
  readonly addedAt: Date;
  readonly setAsideAt: Date;
}

export interface OutboxTableParts {
  readonly database: Database;
  readonly schema: string;
  readonly clock: Clock;
  /** How long the database may take, in milliseconds; after that its answer is unknown. Null: for ever. */
  readonly answerWithinMs: number | null;
  /** How long a message is kept after it was sent, in milliseconds. */
  readonly keepSentMs: number;
}

interface Row {
  readonly id: string;
  readonly destination: string;
  readonly destination_group: string | null;
  readonly lane: string | null;
  readonly tries: number;
  readonly refusals: number;
  readonly key: Uint8Array | null;
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
  readonly body: Uint8Array;
}

interface SetAsideRow extends Row {
  readonly error: string | null;
  readonly added_at: Date;
  readonly set_aside_at: Date;
}

/** Bytes of messages in one claim, about, which are in memory until they are sent. */
const maxClaimBytes = 16_777_216;

/** Everything a relay ever says to the database. */
export class OutboxTable {
  readonly #parts: OutboxTableParts;
  readonly #sql: ReturnType<typeof statements>;

  constructor(parts: OutboxTableParts) {
    this.#parts = parts;
    this.#sql = statements(parts.schema);
  }

  /** Makes the tables if need be. */
  prepare(): Promise<void> {
    return this.#within(prepareSchema(this.#parts.database, this.#parts.schema));
  }

  /** Leases up to `max` messages, under a `claim` that no other ever had; those of one lane in their order. */
  async claim(claim: string, max: number, leaseMs: number): Promise<readonly Claimed[]> {
    const claimed = await this.#ask<{ id: string }>(this.#sql.claim, [claim, max, maxClaimBytes, leaseMs]);
    if (claimed.length === 0) return [];
    const ids = claimed.map(({ id }) => id);
    const rows = new Map(
      (await this.#ask<Row>(this.#sql.load, [arrayLiteral(ids), claim])).map((row) => [row.id, row]),
    );
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [claimedOf(row, claim)];
    });
  }

  /** Gives back whatever a claim got whose answer never came. */
  async abandon(claim: string): Promise<void> {
    await this.#ask(this.#sql.abandon, [claim]);
  }

  /** The ids of those that were still out on their claim. */
  async settle(settled: readonly Settled[]): Promise<ReadonlySet<string>> {
    const rows = await this.#ask<{ id: string }>(this.#sql.settle, [
      arrayLiteral(settled.map(({ id }) => id)),
      settled.map(({ claim }) => claim),
      settled.map(({ outcome }) => outcome),
      arrayLiteral(settled.map(({ delayMs }) => delayMs)),
      settled.map(({ error }) => error),
      this.#parts.keepSentMs,
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  async lag(): Promise<OutboxLag> {
    const [row] = await this.#ask<{ waiting: string; oldest_ms: number; set_aside: string }>(this.#sql.lag, []);
    return {
      waiting: Number(row?.waiting ?? 0),
      oldestMs: Math.max(0, row?.oldest_ms ?? 0),
      setAside: Number(row?.set_aside ?? 0),
    };
  }

  async setAside(max: number): Promise<readonly SetAsideMessage[]> {
    return (await this.#ask<SetAsideRow>(this.#sql.setAside, [max])).map((row) => ({
      ...{ id: row.id, to: addressOf(row), message: messageOf(row), tries: row.tries },
      error: row.error ?? "",
      addedAt: row.added_at,
      setAsideAt: row.set_aside_at,
    }));
  }

  /** The ids of those that were set aside and are so no more. */
  async decide(ids: readonly string[], decision: "retry" | "drop"): Promise<readonly string[]> {
    const rows = await this.#ask<{ id: string }>(this.#sql.decide, [arrayLiteral(ids), decision === "drop"]);
    return rows.map(({ id }) => id);
  }

  async #ask<Answer>(sql: string, values: readonly unknown[]): Promise<Answer[]> {
    return (await this.#within(this.#parts.database.query<Answer>(sql, values))).rows;
  }

  #within<Answer>(asking: Promise<Answer>): Promise<Answer> {
    const { clock, answerWithinMs } = this.#parts;
    return answerWithinMs === null ? asking : answerWithin(asking, clock, answerWithinMs, "database");
  }
}

function claimedOf(row: Row, claim: string): Claimed {
  const { id, lane, tries, refusals } = row;
  return { id, claim, lane, to: addressOf(row), message: messageOf(row), tries, refusals };
}

function addressOf({ destination, destination_group: group }: Row): Address {
  return group === null ? { name: destination } : { name: destination, group };
}

function messageOf({ key, headers, properties, body }: Row): Message {
  return { key, headers: decodeHeaders(headers), properties: decodeHeaders(properties), body };
}

function statements(schema: string) {
  const at = quoteName(schema);
  const columns = "id, destination, destination_group, lane, tries, refusals, key, headers, properties, body";
  return {
    claim: `select id from ${at}.claim_outbox($1::text, $2::integer, $3::bigint, $4::float8)`,
    load: `select ${columns} from ${at}.outbox where id = any ($1::bigint[]) and fence = $2::text`,
    abandon: `update ${at}.outbox set fence = null, due_at = ${at}.clock() where fence = $1::text`,
    settle: `select id from ${at}.settle_outbox(
      $1::bigint[], $2::text[], $3::text[], $4::float8[], $5::text[], $6::float8)`,
    lag: `select count(*) filter (where set_aside_at is null) as waiting,
        count(*) filter (where set_aside_at is not null) as set_aside,
        coalesce(extract(epoch from ${at}.clock() - min(added_at) filter (where set_aside_at is null)) * 1000, 0)::float8
          as oldest_ms
      from ${at}.outbox`,
    setAside: `select ${columns}, error, added_at, set_aside_at from ${at}.outbox
      where set_aside_at is not null order by id limit $1::integer`,
    decide: `select id from ${at}.decide_outbox($1::bigint[], $2::boolean)`,
  };
}
