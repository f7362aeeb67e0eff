import { type Database, quoteName } from "../../src/domain/database.ts";
import { OfficeError } from "../../src/domain/errors.ts";
import { type Address, headerText, type Message, makeMessage } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import { type Outbox, outbox } from "../../src/outbox/outbox.ts";
import { createOutboxRelay, type OutboxRelay } from "../../src/outbox/relay.ts";
import type { RelayEvent } from "../../src/outbox/relay-events.ts";
import type { OutboxRelayOptions } from "../../src/outbox/relay-options.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { memoryTransport } from "../../src/transports/memory.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { giveBackSchema, takeSchema } from "./spare-schemas.ts";

/** What a broker was asked to take, in the order it said yes. */
export interface Taker {
  readonly transport: Transport;
  readonly taken: { readonly to: Address; readonly message: Message }[];
  /** Decides about each send before the broker has it; what it throws is the broker's answer. */
  before: (to: Address, message: Message) => Promise<void> | void;
  /** Called when the broker has it, before it says so. */
  after: (to: Address, message: Message) => Promise<void> | void;
}

function taker(): Taker {
  const inner = memoryTransport();
  const self: Taker = {
    taken: [],
    before: () => {},
    after: () => {},
    transport: {
      broker: inner.broker,
      capabilities: inner.capabilities,
      consume: (from, handle, options) => inner.consume(from, handle, options),
      close: () => inner.close(),
      async send(to, message) {
        await self.before(to, message);
        self.taken.push({ to, message });
        await self.after(to, message);
      },
    },
  };
  return self;
}

export const bodyOf = ({ body }: Message): string => Buffer.from(body).toString();
export const keyOf = ({ headers }: Message): string => headerText(headers, wire.key) ?? "";
export const text = (body: string, key?: string): Message => makeMessage({ body, ...(key !== undefined && { key }) });
export const refusal = (): OfficeError => new OfficeError("MESSAGE_TOO_LARGE", "Too large for this broker.");

/** Resolves when a relay that was just made has found nothing to send. */
export async function hasLooked(relay: OutboxRelay): Promise<void> {
  const { progressAt } = relay.health();
  await eventually(() => relay.health().progressAt > progressAt);
}

export interface OutboxBench {
  readonly database: Database;
  readonly schema: string;
  readonly box: Outbox;
  readonly broker: Taker;
  readonly events: RelayEvent[];
  /** Bodies that the broker has, in the order it got them. */
  bodies(): string[];
  /** In a transaction of its own for each. */
  add(...messages: readonly Message[]): Promise<void>;
  /** A relay that is told to stop at the end. */
  relay(options?: Partial<OutboxRelayOptions>): OutboxRelay;
  rows(): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** An outbox of its own, and relays that are quick. */
export async function openOutbox(database: Database): Promise<OutboxBench> {
  const schema = await takeSchema(database);
  const at = quoteName(schema);
  const broker = taker();
  const box = outbox({ schema });
  const relays: OutboxRelay[] = [];
  const events: RelayEvent[] = [];
  return {
    ...{ database, schema, box, broker, events },
    bodies: () => broker.taken.map(({ message }) => bodyOf(message)),
    async add(...messages) {
      for (const message of messages) {
        await database.transaction((tx) => box.add(tx, { to: "orders", message }));
      }
    },
    relay(options) {
      const times = { pollMs: 20, leaseMs: 30_000, sendWithinMs: 10_000, firstRetryMs: 20, maxRetryMs: 100 };
      const observers = [{ event: (event: RelayEvent) => void events.push(event) }];
      const parts = { database, transport: broker.transport, schema, observers, lagEveryMs: 0 };
      const relay = createOutboxRelay({ ...parts, ...times, ...options });
      relays.push(relay);
      return relay;
    },
    async rows() {
      return (await database.query(`select * from ${at}.outbox order by id`)).rows;
    },
    async close() {
      await Promise.all(relays.map((relay) => relay.stop()));
      await giveBackSchema(database, schema, ["outbox", "outbox_sent"]);
    },
  };
}
