import type { Random } from "../../domain/clock.ts";
import type { Surroundings } from "./surroundings.ts";
import type { TradeName } from "./trades.ts";

/** Messages that keep coming for as long as the demonstration runs. */
export interface Stream {
  readonly trade: TradeName;
  readonly everyMs: number;
  make(n: number, random: Random): object;
}

const second = 1_000;

/** Accounts that bookings come for. */
const accounts = ["account-7", "account-12", "account-31"];

/** What is sent once, when it begins: these bookings need rates that are not to be had, and later ones of their accounts wait for them. */
export const overture: readonly { readonly trade: TradeName; readonly payload: object }[] = [
  "account-7",
  "account-12",
].map((account, index) => ({
  trade: "accounts",
  payload: { account, booking: index + 1, cents: 99_000, currency: "SEK" },
}));

export const streams: readonly Stream[] = [
  {
    ...{ trade: "orders", everyMs: 500 },
    make: (n, random) => ({
      ...{ order: n, cents: 500 + Math.floor(random() * 20_000) },
      ...{ bank: random() < 0.15 ? "northbank" : "southbank", covered: n % 40 !== 0 },
    }),
  },
  {
    ...{ trade: "accounts", everyMs: 10 * second },
    make: (n) => ({ account: accounts[n % accounts.length], booking: n, cents: 1_250, currency: "EUR" }),
  },
  {
    ...{ trade: "order-events", everyMs: 15 * second },
    make: (n, random) => (random() < 0.5 ? { order: n, amount: 1_250 } : { order: n, total: 1_250 }),
  },
  { ...{ trade: "invoices", everyMs: 20 * second }, make: (n) => ({ invoice: n, parcels: n % 3 === 0 ? 1.5 : 1 }) },
  {
    ...{ trade: "credit", everyMs: 45 * second },
    make: (n, random) => ({ customer: n, cents: 50_500 + Math.floor(random() * 9_000), limitCents: 50_000 }),
  },
  { ...{ trade: "tenants", everyMs: 70 * second }, make: (n) => ({ tenant: n, closed: true }) },
  { ...{ trade: "emails", everyMs: 60 * second }, make: (n) => ({ order: n, bounces: true }) },
];

/** What a cue may do to the shop. */
export interface Stage {
  readonly around: Surroundings;
  /** Another version of a service takes the place of the one at work. */
  deploy(trade: TradeName, version: string): void;
}

/** Something that happens, so long after the demonstration began; again and again where `everyMs` says so. */
export interface Cue {
  readonly atMs: number;
  readonly everyMs?: number;
  /** For the log of whoever started it. */
  readonly says: string;
  perform(stage: Stage): void;
}

/** The bank fails again every quarter of an hour: whoever comes late meets the outage too. */
const quarterMs = 900 * second;

/** Each protocol is met within ten minutes. */
export const cues: readonly Cue[] = [
  {
    ...{ atMs: 10 * second, says: "The partner acme takes deliveries again." },
    perform: ({ around }) => {
      around.partnerBack = true;
    },
  },
  {
    ...{ atMs: 40 * second, everyMs: quarterMs, says: "payments-api is down: the breaker opens, orders wait." },
    perform: ({ around }) => {
      around.paymentsUp = false;
    },
  },
  {
    ...{ atMs: 120 * second, everyMs: quarterMs, says: "payments-api answers again: the breaker tries, then closes." },
    perform: ({ around }) => {
      around.paymentsUp = true;
    },
  },
  {
    ...{ atMs: 180 * second, everyMs: quarterMs, says: "northbank answers again: its orders may go back." },
    perform: ({ around }) => {
      around.northbankUp = true;
    },
  },
  {
    ...{
      atMs: 240 * second,
      says: "rates-api answers again: bookings in SEK may go back, and what waits behind them.",
    },
    perform: ({ around }) => {
      around.ratesUp = true;
    },
  },
  {
    ...{ atMs: 360 * second, says: "order-events 2.15.0 is deployed: it understands OrderPlaced 3." },
    perform: ({ deploy }) => deploy("order-events", "2.15.0"),
  },
  {
    ...{ atMs: 480 * second, says: "invoices 4.2.1 is deployed: half a parcel is a page of its own." },
    perform: ({ deploy }) => deploy("invoices", "4.2.1"),
  },
  {
    ...{ atMs: quarterMs, everyMs: quarterMs, says: "northbank does not answer in time any more." },
    perform: ({ around }) => {
      around.northbankUp = false;
    },
  },
];
