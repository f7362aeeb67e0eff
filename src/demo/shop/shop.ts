import type { Cancel, Host } from "../../domain/clock.ts";
import type { Database } from "../../domain/database.ts";
import { type OfficeReports, officeReports } from "../../reports/office-reports.ts";
import type { Consumer } from "../../runtime/consumer.ts";
import { seededRandom } from "../../simulate/random.ts";
import { memorySource } from "../../sources/memory-source.ts";
import { postgresSource } from "../../sources/postgres-source.ts";
import type { SimulatedSource } from "../../sources/simulated-source.ts";
import type { BlockedKeys } from "../../stores/blocked-keys.ts";
import { memoryBlockedKeys } from "../../stores/memory-blocked-keys.ts";
import { memoryTransport } from "../../transports/memory.ts";
import { memoryBroker } from "../../transports/memory-broker.ts";
import { postgresTransport } from "../../transports/postgres/transport.ts";
import type { Transport } from "../../transports/transport.ts";
import { type Cue, cues, overture, type Stage, type Stream, streams } from "./script.ts";
import { badNight } from "./surroundings.ts";
import { deadLetterQueues, employ, paymentsBreaker, type TradeName, tradeMessage, trades } from "./trades.ts";

const names = Object.keys(trades) as readonly TradeName[];
const booksSchema = "books";

export interface ShopParts {
  readonly seed: number;
  readonly host: Host;
  /** The embedded PostgreSQL, in which one of the two brokers lives. */
  readonly database: Database;
  /** Told when the script changes something. */
  readonly say: (text: string) => void;
}

interface Broker {
  readonly transport: Transport;
  readonly reports: OfficeReports;
}

/** A shop in one process: producers, services on the real runtime, and two brokers. It follows its script from `open` on. */
export class Shop {
  readonly sources: readonly SimulatedSource[];
  readonly #parts: ShopParts;
  readonly #brokers: Readonly<Record<"shop" | "books", Broker>>;
  readonly #around = badNight();
  readonly #blockedKeys: BlockedKeys;
  readonly #atWork = new Map<TradeName, Consumer>();
  readonly #leaving = new Set<Promise<unknown>>();
  readonly #timers = new Map<object, Cancel>();
  /** Beyond the numbers of what happened before. */
  #sent = 20_000;
  #isClosed = false;

  constructor(parts: ShopParts) {
    const { host, database } = parts;
    const broker = memoryBroker({ clock: host.clock });
    const memory = () => memoryTransport({ broker, host });
    const books = () => postgresTransport({ database, schema: booksSchema, host });
    this.#parts = parts;
    this.#blockedKeys = memoryBlockedKeys({ clock: host.clock });
    this.#brokers = { shop: this.#connect(memory()), books: this.#connect(books()) };
    this.sources = [
      { name: "shop", opened: memorySource(memory(), broker, this.#blockedKeys), queues: queuesOn("shop") },
      {
        name: "books",
        opened: postgresSource(books(), { database, schema: booksSchema, clock: host.clock }),
        queues: queuesOn("books"),
      },
    ];
  }

  open(): void {
    for (const trade of names) this.#employ(trade, trades[trade].version);
    for (const { trade, payload } of overture) this.#send(trade, payload);
    for (const stream of streams) this.#flow(stream, seededRandom(`shop/${this.#parts.seed}/${stream.trade}`));
    const deploy: Stage["deploy"] = (trade, version) => this.#employ(trade, version);
    for (const cue of cues) this.#await(cue, cue.atMs, { around: this.#around, deploy });
  }

  /** Services finish what they have in hand; nothing is sent any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#timers.values()) cancel();
    await Promise.all([...this.#atWork.values()].map((consumer) => consumer.stop()));
    await Promise.all(this.#leaving);
    for (const { reports, transport } of Object.values(this.#brokers)) {
      await reports.close();
      await transport.close();
    }
  }

  #connect(transport: Transport): Broker {
    return { transport, reports: officeReports({ transport, clock: this.#parts.host.clock }) };
  }

  /** In place of whoever worked there. */
  #employ(trade: TradeName, version: string): void {
    const before = this.#atWork.get(trade);
    const { transport, reports } = this.#brokers[trades[trade].source];
    const { host } = this.#parts;
    const options = {
      ...(trade === "orders" ? { breaker: paymentsBreaker(host.clock) } : {}),
      ...(trade === "accounts" ? ({ order: "key", blockedKeys: this.#blockedKeys } as const) : {}),
    };
    const consumer = employ(trade, {
      ...{ transport, host, version, options, around: this.#around, observers: [reports] },
    });
    this.#atWork.set(trade, consumer);
    if (before === undefined) void consumer.start();
    else this.#leaving.add(this.#follow(before, consumer));
  }

  /** Once the other has gone: reports tell the consumers of a process apart by their queue, and one that leaves later would silence both. */
  async #follow(before: Consumer, consumer: Consumer): Promise<void> {
    await before.stop();
    if (!this.#isClosed) void consumer.start();
  }

  #flow(stream: Stream, random: () => number): void {
    this.#after(stream, stream.everyMs, () => {
      this.#send(stream.trade, stream.make(this.#sent + 1, random));
      this.#flow(stream, random);
    });
  }

  #send(trade: TradeName, payload: object): void {
    this.#sent += 1;
    const message = tradeMessage(trade, this.#sent, payload);
    const sending = this.#brokers[trades[trade].source].transport.send({ name: trade }, message);
    // A broker that is being closed takes nothing more, and nobody misses it.
    sending.catch(() => {});
  }

  #await(cue: Cue, afterMs: number, stage: Stage): void {
    this.#after(cue, afterMs, () => {
      cue.perform(stage);
      this.#parts.say(cue.says);
      if (cue.everyMs !== undefined) this.#await(cue, cue.everyMs, stage);
    });
  }

  #after(whose: object, delayMs: number, run: () => void): void {
    const cancel = this.#parts.host.clock.after(delayMs, () => {
      if (!this.#isClosed) run();
    });
    this.#timers.set(whose, cancel);
  }
}

function queuesOn(source: "shop" | "books"): readonly string[] {
  return names.filter((trade) => trades[trade].source === source).flatMap(deadLetterQueues);
}
