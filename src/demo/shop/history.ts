import type { Random } from "../../domain/clock.ts";
import { headerText, type Message } from "../../domain/message.ts";
import { wire } from "../../domain/wire.ts";
import { seededRandom } from "../../simulate/random.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { memoryTransport } from "../../transports/memory.ts";
import { memoryBroker } from "../../transports/memory-broker.ts";
import { partnerTroubles } from "./partners.ts";
import { badNight } from "./surroundings.ts";
import { deadLetterQueues, employ, type TradeName, tradeMessage, trades } from "./trades.ts";

/** A message that died before anybody opened the demonstration. */
export interface PastDeath {
  readonly trade: TradeName;
  /** The queue it lay in. */
  readonly queue: string;
  readonly message: Message;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** So many messages of a trade went wrong, between so long ago and so long ago. */
interface Chapter {
  readonly trade: TradeName;
  readonly count: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** How much denser towards the end: 1 is even. */
  readonly rush?: number;
  make(n: number, random: Random): object;
}

const days = (n: number) => n * 24 * hourMs;
/** Nothing is still being retried when the present begins. */
const settledMs = 3 * minuteMs;

const chapters: readonly Chapter[] = [
  {
    ...{ trade: "orders", count: 1_204, fromMs: 41 * minuteMs, toMs: settledMs, rush: 2 },
    make: (n, random) => ({ order: n, bank: "northbank", cents: centsOf(random), covered: n % 24 !== 0 }),
  },
  {
    ...{ trade: "order-events", count: 86, fromMs: days(2), toMs: settledMs },
    make: (n, random) => ({ order: n, amount: centsOf(random) }),
  },
  {
    ...{ trade: "invoices", count: 17, fromMs: 50 * minuteMs, toMs: settledMs },
    make: (n, random) => ({ invoice: n, parcels: Math.floor(random() * 4) + 0.5 }),
  },
  {
    ...{ trade: "credit", count: 41, fromMs: days(3), toMs: hourMs },
    make: (n, random) => ({ customer: n, cents: 50_000 + centsOf(random), limitCents: 50_000 }),
  },
  { ...{ trade: "tenants", count: 9, fromMs: days(2), toMs: hourMs }, make: (n) => ({ tenant: n, closed: true }) },
  {
    ...{ trade: "emails", count: 12, fromMs: 20 * hourMs, toMs: settledMs },
    make: (n) => ({ order: n, bounces: true }),
  },
  ...partnerTroubles.map(
    ({ partner, letters: count }, index): Chapter => ({
      ...{ trade: "partners", count, fromMs: days(3) - index * 2 * hourMs, toMs: index * hourMs + settledMs },
      make: (n) => ({ partner, delivery: n, staleKey: n % 7 === 0 }),
    }),
  ),
];

function centsOf(random: Random): number {
  return 500 + Math.floor(random() * 20_000);
}

interface Happening {
  readonly at: number;
  readonly trade: TradeName;
  readonly message: Message;
}

function happenings(seed: number, now: number): readonly Happening[] {
  let n = 10_000;
  const all = chapters.flatMap((chapter, index) => {
    const random = seededRandom(`shop/${seed}/chapter/${index}`);
    return Array.from({ length: chapter.count }, (): Happening => {
      n += 1;
      const { trade, fromMs, toMs, rush = 1, make } = chapter;
      const at = Math.floor(now - toMs - (fromMs - toMs) * (1 - random() ** (1 / rush)));
      return { at, trade, message: tradeMessage(trade, n, make(n, random)) };
    });
  });
  return all.sort((a, b) => a.at - b.at);
}

/**
 * What died in the days before `now`: the shop's own services, run through those days in virtual time. So every letter is
 * one that the runtime wrote.
 */
export async function pastDeaths(seed: number, now: number): Promise<readonly PastDeath[]> {
  const past = happenings(seed, now);
  const clock = fakeClock((past[0]?.at ?? now) - 1);
  const broker = memoryBroker({ clock });
  const host = { clock, random: seededRandom(`shop/${seed}/past`), newId: () => "past" };
  const transport = memoryTransport({ broker, host });
  const names = Object.keys(trades) as TradeName[];
  const consumers = names.map((trade) => {
    const options = { retry: { budget: false } } as const;
    const { version } = trades[trade];
    return employ(trade, { transport, host, around: badNight(), version, observers: [], options });
  });
  for (const consumer of consumers) void consumer.start();
  for (const { at, trade, message } of past) {
    await clock.advance(at - clock.now());
    await transport.send({ name: trade }, message);
  }
  await clock.advance(now - clock.now());
  const stopping = Promise.all(consumers.map((consumer) => consumer.stop())).then(() => transport.close());
  await clock.advance(minuteMs);
  await stopping;
  return names
    .flatMap((trade) => deadLetterQueues(trade).flatMap((queue) => broker.messages(queue).map(deathIn(trade, queue))))
    .sort((a, b) => a.at - b.at);
}

function deathIn(trade: TradeName, queue: string) {
  return (message: Message): PastDeath => {
    const at = Date.parse(headerText(message.headers, wire.failedAt) ?? "");
    return { trade, queue, message, at };
  };
}
