import type { Clock, Host } from "../../domain/clock.ts";
import { type Message, makeMessage } from "../../domain/message.ts";
import { queueNames, wire } from "../../domain/wire.ts";
import type { HandlerContext } from "../../runtime/attempt.ts";
import { type Consumer, createConsumer } from "../../runtime/consumer.ts";
import type { ConsumerOptions } from "../../runtime/consumer-options.ts";
import type { Observer } from "../../runtime/events.ts";
import { memoryInbox } from "../../stores/memory-inbox.ts";
import type { Transport } from "../../transports/transport.ts";
import {
  type Booking,
  book,
  type Charge,
  type CreditCheck,
  changeTenant,
  charge,
  checkCredit,
  deliver,
  type Invoice,
  type Mail,
  type PartnerDelivery,
  printInvoice,
  sendMail,
  type TenantChange,
} from "./handlers.ts";
import { handledVersions, orderPlacedSchema } from "./order-placed.ts";
import type { Surroundings } from "./surroundings.ts";

/** The queues of the shop, each with a service that works on it. */
export type TradeName =
  | "orders"
  | "accounts"
  | "order-events"
  | "invoices"
  | "credit"
  | "tenants"
  | "emails"
  | "partners";

export interface Trade {
  /** The broker its queue is on: one in this process, or PostgreSQL. */
  readonly source: "shop" | "books";
  /** Of the service, until another is deployed. */
  readonly version: string;
}

export const trades: Readonly<Record<TradeName, Trade>> = {
  orders: { source: "shop", version: "1.8.2" },
  accounts: { source: "shop", version: "3.3.0" },
  "order-events": { source: "books", version: "2.14.3" },
  invoices: { source: "shop", version: "4.2.0" },
  credit: { source: "books", version: "3.0.1" },
  tenants: { source: "shop", version: "1.1.0" },
  emails: { source: "shop", version: "0.9.4" },
  partners: { source: "shop", version: "5.3.0" },
};

/** Where dead letters of a trade end up. */
export function deadLetterQueues(trade: TradeName): readonly string[] {
  return [queueNames.deadLetters(trade), queueNames.quarantine(trade, "poison")];
}

export interface Employment {
  readonly transport: Transport;
  readonly host: Host;
  readonly around: Surroundings;
  readonly version: string;
  readonly observers: readonly Observer[];
  /** How failures are met, where it is not as for the others. */
  readonly options?: Partial<Pick<ConsumerOptions, "breaker" | "retry" | "order" | "blockedKeys">>;
}

type Work = (context: HandlerContext, employment: Employment) => Promise<void> | void;

const work: Readonly<Record<TradeName, Work>> = {
  orders: ({ payload, signal }, { host: { clock }, around }) => charge(payload as Charge, { clock, around, signal }),
  accounts: ({ payload }, { around }) => book(payload as Booking, around),
  "order-events": () => {},
  invoices: ({ payload }, { version }) => void printInvoice(payload as Invoice, version),
  credit: ({ payload }) => checkCredit(payload as CreditCheck),
  tenants: ({ payload }) => changeTenant(payload as TenantChange),
  emails: ({ payload }) => sendMail(payload as Mail),
  partners: ({ payload }, { around }) => deliver(payload as PartnerDelivery, around),
};

const maxAttempts: Partial<Readonly<Record<TradeName, number>>> = { accounts: 2, emails: 1, tenants: 1, partners: 2 };

/** A service as somebody would write it with the runtime. */
export function employ(trade: TradeName, employment: Employment): Consumer {
  const { transport, host, version, observers, options = {} } = employment;
  const retry = {
    maxAttempts: maxAttempts[trade] ?? 4,
    backoff: { strategy: "exponential", initialMs: 1_000 },
  } as const;
  return createConsumer<unknown>({
    ...{ transport, host, version, observers, queue: trade, service: trade, instance: `${trade}-1` },
    handler: async (context) => work[trade](context, employment),
    inbox: { store: memoryInbox({ clock: host.clock }) },
    ...{ breaker: false, ...options },
    retry: { ...retry, ...options.retry },
    ...(trade === "order-events"
      ? {
          schema: orderPlacedSchema(version),
          handles: [{ name: "OrderPlaced", versions: [...handledVersions(version)] }],
        }
      : {}),
  });
}

/** The breaker of what `orders` depends on: it opens soon, and asks again soon, since people are watching. */
export function paymentsBreaker(clock: Clock) {
  return {
    name: "payments-api",
    clock,
    rule: { kind: "rate", failureRate: 0.75, windowMs: 10_000, minimumCalls: 8 },
    recoveryMs: 10_000,
    successesToClose: 3,
  } as const;
}

/** `n` makes it one of its kind, however often it is sent. */
export function tradeMessage(trade: TradeName, n: number, payload: object): Message {
  const schema = "amount" in payload ? "OrderPlaced@3" : "OrderPlaced@2";
  return makeMessage({
    ...("account" in payload ? { key: String(payload.account) } : {}),
    body: JSON.stringify(payload),
    headers: {
      "content-type": "application/json",
      "idempotency-key": `${trade}-${n}`,
      ...(trade === "order-events" ? { [wire.schema]: schema } : {}),
    },
  });
}
