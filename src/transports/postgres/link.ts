import type { Cancel, Clock } from "../../domain/clock.ts";
import type { Database } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Address, Header, Message } from "../../domain/message.ts";
import { prepareSchema } from "../../schema/migrate.ts";
import { coalesce } from "../coalesce.ts";
import type { PullLink, Taken, TakeOptions } from "../pull-link.ts";
import { arrayLiteral, type EncodedMessage, encodeMessage, packBlock } from "./message-block.ts";
import {
  compareLanes,
  lockValues,
  maxBatchBytes,
  maxBatchLanes,
  newOutgoing,
  type Outgoing,
  outgoingAgain,
  outgoingValues,
  requireQueue,
  weightOf,
} from "./outgoing.ts";
import { handOver, type PostgresReceipt, receiptValues, type TakenRow, takenOf } from "./receipt.ts";
import { type Statements, statements } from "./statements.ts";
import { Watchers } from "./watchers.ts";

export interface PostgresLinkParts {
  readonly database: Database;
  readonly schema: string;
  readonly clock: Clock;
  /** How long the database may take for a batch, in milliseconds; after that its answer is unknown. Null: for ever. */
  readonly answerWithinMs: number | null;
  readonly maxMessageBytes: number;
}

/** Something asked about a message that is out. */
type Held<Rest = unknown> = Rest & { readonly receipt: PostgresReceipt };

const maxBatchItems = 500;
/** Receipts are a few bytes each. */
const maxBatchReceipts = 2_000;
/** An empty queue is looked at again when its next message is due, unless that is later than this, in milliseconds. */
const longestAlarmMs = 60_000;

/** Queues as rows of a table. What is asked for at the same time goes in one statement. */
export class PostgresLink implements PullLink<PostgresReceipt> {
  readonly #parts: PostgresLinkParts;
  readonly #sql: Statements;
  readonly #watchers: Watchers;
  readonly #send: (item: Outgoing) => Promise<void>;
  readonly #replace: (item: Held<Outgoing>) => Promise<boolean>;
  readonly #move: (item: Held<Outgoing>) => Promise<boolean>;
  readonly #charge: (item: Held<{ readonly message: EncodedMessage }>) => Promise<boolean>;
  readonly #extend: (item: Held<{ readonly ms: number }>) => Promise<boolean>;
  #ready: Promise<void> | null = null;

  constructor(parts: PostgresLinkParts) {
    const { database, schema, clock, answerWithinMs } = parts;
    this.#parts = parts;
    this.#sql = statements(schema);
    this.#watchers = new Watchers({ database, schema, notify: this.#sql.notify, clock });
    const each = { clock, limitMs: answerWithinMs, atOnce: 1, maxItems: maxBatchItems };
    const weight = { of: weightOf, max: maxBatchBytes };
    this.#send = coalesce({ ...each, weight, run: (items) => this.#sendAll(items) });
    this.#replace = coalesce<Held<Outgoing>, boolean>({ ...each, weight, run: (items) => this.#replaceAll(items) });
    this.#move = coalesce<Held<Outgoing>, boolean>({ ...each, weight, run: (items) => this.#moveAll(items) });
    this.#charge = coalesce({ ...each, run: (items) => this.#chargeAll(items) });
    this.#extend = coalesce({ ...each, run: (items) => this.#extendAll(items) });
  }

  async send(to: Address, message: Message, delayMs: number): Promise<void> {
    const queue = requireQueue(to);
    await this.#send(newOutgoing(queue, message, delayMs, this.#parts.maxMessageBytes));
    this.#tellOf(queue, delayMs);
  }

  async take(from: Address, max: number, { leaseMs, order }: TakeOptions): Promise<readonly Taken<PostgresReceipt>[]> {
    const queue = requireQueue(from);
    const rows = await this.#ask<TakenRow>(this.#sql.take, [queue, max, maxBatchBytes, leaseMs, order === "key"]);
    if (rows.length === 0) await this.#setAlarm(queue);
    return rows.sort((a, b) => Number(a.id) - Number(b.id)).map((row) => takenOf(queue, row));
  }

  async acknowledge(receipts: readonly PostgresReceipt[]): Promise<void> {
    for (const batch of inBatches(receipts)) {
      await this.#ask(this.#sql.acknowledge, [...receiptValues(batch), lockValues(batch)]);
    }
  }

  async replace(receipt: PostgresReceipt, message: Message, delayMs: number): Promise<boolean> {
    const outgoing = outgoingAgain(receipt.queue, message, delayMs);
    // With another key there is no place to keep: it goes to the end of its new lane.
    const put = outgoing.lane === receipt.lane ? this.#replace : this.#move;
    const replaced = await put({ receipt, ...outgoing });
    if (replaced) this.#tellOf(receipt.queue, delayMs);
    return replaced;
  }

  async move(receipt: PostgresReceipt, to: Address, message: Message): Promise<boolean> {
    const queue = requireQueue(to);
    const moved = await this.#move({ receipt, ...outgoingAgain(queue, message, 0) });
    if (moved) this.#watchers.announce(queue);
    return moved;
  }

  async giveBack(receipts: readonly PostgresReceipt[]): Promise<void> {
    for (const batch of inBatches(receipts)) await this.#ask(this.#sql.giveBack, receiptValues(batch));
    for (const queue of new Set(receipts.map((receipt) => receipt.queue))) this.#watchers.announce(queue);
  }

  charge(receipt: PostgresReceipt, headers: readonly Header[]): Promise<boolean> {
    const message = encodeMessage({ headers, key: null, properties: [], body: new Uint8Array() });
    return this.#charge({ receipt, message });
  }

  extend(receipt: PostgresReceipt, ms: number): Promise<boolean> {
    return this.#extend({ receipt, ms });
  }

  async depth(of: Address): Promise<number> {
    const [row] = await this.#ask<{ n: string }>(this.#sql.depth, [requireQueue(of)]);
    return Number(row?.n ?? 0);
  }

  async watch(from: Address, wake: () => void): Promise<Cancel> {
    return this.#watchers.watch(requireQueue(from), wake);
  }

  async close(): Promise<void> {
    await this.#watchers.close();
  }

  async #sendAll(items: readonly Outgoing[]): Promise<readonly undefined[]> {
    // Within a lane the order stays as it was.
    const sorted = items.toSorted((a, b) => compareLanes(a.lane, b.lane));
    await this.#ask(this.#sql.send, [...blockOf(sorted), ...outgoingValues(sorted)]);
    return items.map(() => undefined);
  }

  #replaceAll(items: readonly Held<Outgoing>[]): Promise<readonly boolean[]> {
    const delays = arrayLiteral(items.map(({ delayMs }) => delayMs));
    return this.#settle(this.#sql.replace, items, [...blockOf(items), ...heldValues(items), delays]);
  }

  #moveAll(items: readonly Held<Outgoing>[]): Promise<readonly boolean[]> {
    const locks = lockValues(items.flatMap(({ receipt, lane }) => [receipt, { lane }]));
    const values = [...blockOf(items), ...heldValues(items), ...outgoingValues(items), locks];
    return this.#settle(this.#sql.move, items, values);
  }

  #chargeAll(items: readonly Held<{ readonly message: EncodedMessage }>[]): Promise<readonly boolean[]> {
    return this.#settle(this.#sql.charge, items, [...blockOf(items), ...heldValues(items)]);
  }

  #extendAll(items: readonly Held<{ readonly ms: number }>[]): Promise<readonly boolean[]> {
    return this.#settle(this.#sql.extend, items, [...heldValues(items), arrayLiteral(items.map(({ ms }) => ms))]);
  }

  /** True for each item whose receipt still stood for something. */
  async #settle(sql: string, items: readonly Held[], values: readonly unknown[]): Promise<readonly boolean[]> {
    const settled = new Set((await this.#ask<{ id: string; fence: string }>(sql, values)).map(handOver));
    return items.map(({ receipt }) => settled.has(handOver(receipt)));
  }

  async #setAlarm(queue: string): Promise<void> {
    const [next] = await this.#ask<{ ms: number | null }>(this.#sql.nextDue, [queue]);
    // One that is due and could not be had is locked by somebody, perhaps for long: asking soon would ask without end.
    this.#wakeAfter(queue, next?.ms ?? 0);
  }

  /** It is in the queue, and due now or later. Others are told of what they can take now; the rest they find by asking. */
  #tellOf(queue: string, delayMs: number): void {
    if (delayMs > 0) this.#wakeAfter(queue, Math.ceil(delayMs));
    else this.#watchers.announce(queue);
  }

  #wakeAfter(queue: string, ms: number): void {
    if (ms > 0 && ms <= longestAlarmMs) this.#watchers.wakeAfter(queue, ms);
  }

  async #ask<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    await this.#prepare();
    return (await this.#parts.database.query<Row>(sql, values)).rows;
  }

  #prepare(): Promise<void> {
    this.#ready ??= this.#prepareNow().catch((error: unknown) => {
      // It is asked again next time: the database may have been away.
      this.#ready = null;
      throw error;
    });
    return this.#ready;
  }

  async #prepareNow(): Promise<void> {
    const { database, schema } = this.#parts;
    await prepareSchema(database, schema);
    const { rows } = await database.query<{ isolation: string }>(this.#sql.isolation, []);
    const isolation = rows[0]?.isolation ?? "unknown";
    if (isolation !== "read committed") throw wrongIsolation(isolation);
  }
}

function blockOf(items: readonly { readonly message: EncodedMessage }[]): readonly unknown[] {
  return packBlock(items.map(({ message }) => message));
}

function heldValues(items: readonly Held[]): readonly unknown[] {
  return receiptValues(items.map(({ receipt }) => receipt));
}

function inBatches(receipts: readonly PostgresReceipt[]): readonly (readonly PostgresReceipt[])[] {
  const size = receipts.some(({ lane }) => lane !== null) ? maxBatchLanes : maxBatchReceipts;
  const count = Math.ceil(receipts.length / size);
  return Array.from({ length: count }, (_, index) => receipts.slice(index * size, (index + 1) * size));
}

function wrongIsolation(isolation: string): OfficeError {
  return new OfficeError(
    "INVALID_OPTION",
    `The PostgreSQL transport needs transactions that are "read committed", and this pool's are "${isolation}". ` +
      "Give it a pool of its own, made with: options: \"-c default_transaction_isolation='read committed'\".",
    { details: { isolation } },
  );
}
