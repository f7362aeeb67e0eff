import { type DeadLettering, keepsAll, type WiredQueue, type Wiring } from "../src/wiring/wiring.ts";

/** A queue with which nothing is wrong, but for what is said. */
export function madeUpQueue(name: string, differently: Partial<WiredQueue> = {}): WiredQueue {
  return {
    name,
    depth: 0,
    oldestAgeMs: null,
    isTemporary: false,
    deadLettering: null,
    keeping: keepsAll,
    deliveryLimit: null,
    ...differently,
  };
}

/** Dead-lettering to a queue, as it should be, but for what is said. */
export function to(target: string, differently: Partial<DeadLettering> = {}): DeadLettering {
  return {
    via: "the exchange `dlx`",
    targets: [target],
    leaks: [],
    targetsAfterReplay: [target],
    unsure: null,
    afterMs: null,
    byBroker: true,
    ...differently,
  };
}

export function madeUpWiring(queues: readonly WiredQueue[], differently: Partial<Wiring> = {}): Wiring {
  return { product: "Broker 1.0", queues, sees: [], blindTo: [], gaps: [], ...differently };
}
