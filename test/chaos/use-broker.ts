import { afterAll, beforeAll } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { type StartedBooks, startBooks } from "./books.ts";
import type { Resting, RunningBroker } from "./broker-driver.ts";
import { type BrokerName, brokers } from "./brokers.ts";
import { ConsumerProcess, type ConsumerSettings } from "./consumer-process.ts";
import { type Findings, judge } from "./oracle.ts";
import { type Order, toMessage } from "./order.ts";

/** One queue on a running broker, with orders sent to it and processes that consume them. */
export interface Scene {
  /** Resolves when the broker has them all. */
  send(orders: readonly Order[]): Promise<void>;
  /** Ended with the test, if it has not ended by then. */
  consume(changes?: Partial<ConsumerSettings>): ConsumerProcess;
  depth(): Promise<number>;
  resting(): Promise<readonly Resting[]>;
  /** Ids of the orders paid, in no order. */
  paid(): Promise<readonly string[]>;
  judge(): Promise<Findings>;
}

const settings = { inbox: true, leaseMs: 1_000, timeLimitMs: 5_000, concurrency: 10, prefetch: 20 };

/** A broker for the tests of one `describe`; `open` gives each test a queue of its own. */
export function useBroker(name: BrokerName): { open(queue: string): Scene } {
  const driver = brokers[name];
  const processes: ConsumerProcess[] = [];
  let broker: RunningBroker;
  let books: StartedBooks;
  beforeAll(async () => {
    broker = await driver.start();
    books = await startBooks(broker);
  });
  afterAll(async () => {
    await Promise.all(processes.map((consumer) => consumer.kill()));
    await books.close();
    await broker.close();
  });

  return {
    open(queue) {
      const sent = new Map<string, Order>();
      const address = driver.queue(queue);
      const scene: Scene = {
        async send(orders) {
          const { transport, close } = await driver.connect(broker.url);
          // A broker out of breath may refuse: whoever sends repeats it then.
          const insist = (order: Order) =>
            eventually(() => transport.send(address, toMessage(order)), { withinMs: 120_000 });
          await Promise.all(orders.map(insist));
          for (const order of orders) sent.set(order.id, order);
          await close();
        },
        consume(changes = {}) {
          const given = { broker: name, url: broker.url, booksUrl: books.url, queue, ...settings, ...changes };
          const consumer = new ConsumerProcess(given);
          processes.push(consumer);
          return consumer;
        },
        depth: () => broker.depth(address),
        resting: () => broker.resting(address),
        paid: async () => (await books.payments(queue)).map(({ id }) => id),
        judge: async () =>
          judge({
            ...{ queue, inbox: true, sent, accepted: new Set(sent.keys()) },
            payments: await books.payments(queue),
            resting: await scene.resting(),
          }),
      };
      return scene;
    },
  };
}
