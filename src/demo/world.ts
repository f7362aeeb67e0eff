import type { Host } from "../domain/clock.ts";
import { type Breaker, createBreaker } from "../runtime/breaker.ts";
import { type Consumer, createConsumer } from "../runtime/consumer.ts";
import { seededRandom } from "../simulate/random.ts";
import { memoryInbox } from "../stores/memory-inbox.ts";
import { type FakeClock, fakeClock } from "../testing/fake-clock.ts";
import { memoryTransport } from "../transports/memory.ts";
import { type MemoryBroker, memoryBroker } from "../transports/memory-broker.ts";
import { Checkout } from "./checkout.ts";
import { Chronicle } from "./chronicle.ts";
import { type Order, orderSchema } from "./order.ts";
import { Payments } from "./payments.ts";

/** A shop in one process: checkout, a queue, a consumer, payments. Its clock stands still until it is advanced. */
export interface World {
  readonly clock: FakeClock;
  readonly broker: MemoryBroker;
  readonly consumer: Consumer;
  readonly breaker: Breaker;
  readonly checkout: Checkout;
  readonly payments: Payments;
  readonly chronicle: Chronicle;
}

/** Where it differs from the runtime's defaults, it is for those who watch: 30 s of an open breaker are long. */
export const worldSettings = {
  queue: "orders",
  ordersPerSecond: 5,
  handlers: 6,
  maxAttempts: 5,
  backoff: { strategy: "exponential", initialMs: 1_500 },
  breaker: {
    rule: { kind: "rate", failureRate: 0.5, windowMs: 5_000, minimumCalls: 12 },
    recoveryMs: 6_000,
    successesToClose: 3,
  },
} as const;

/** Everything that chance decides comes from `seed`: the same seed is the same world, to the millisecond. */
export function createWorld(seed: number): World {
  const clock = fakeClock();
  const hostFor = (part: string) => ({ clock, random: seededRandom(`demo/${seed}/${part}`) });
  const broker = memoryBroker({ clock });
  const host = { ...hostFor("runtime"), newId: () => "demo" };
  const transport = memoryTransport({ broker, host });
  const payments = new Payments(hostFor("payments"));
  const chronicle = new Chronicle(clock, worldSettings.breaker.rule);
  const breaker = createBreaker({ name: "payments", clock, ...worldSettings.breaker });
  const consumer = makeConsumer({ transport, host, breaker, payments, chronicle });
  const { queue, ordersPerSecond: perSecond } = worldSettings;
  const checkout = new Checkout({ transport, queue, perSecond, host: hostFor("checkout") });
  return { clock, broker, consumer, breaker, checkout, payments, chronicle };
}

interface ConsumerParts extends Pick<World, "breaker" | "payments" | "chronicle"> {
  readonly transport: ReturnType<typeof memoryTransport>;
  readonly host: Host;
}

/** The runtime as a service would use it. */
function makeConsumer({ transport, host, breaker, payments, chronicle }: ConsumerParts): Consumer {
  return createConsumer({
    transport,
    queue: worldSettings.queue,
    service: "shop",
    schema: orderSchema,
    handler: async ({ payload, signal }) => {
      printLabels(payload);
      await payments.charge(payload, signal);
    },
    concurrency: worldSettings.handlers,
    // Nothing is taken ahead of a free handler, so that the queue that is drawn is the queue there is.
    prefetch: worldSettings.handlers,
    retry: { maxAttempts: worldSettings.maxAttempts, backoff: worldSettings.backoff },
    breaker,
    inbox: { store: memoryInbox({ clock: host.clock }) },
    observers: [chronicle],
    host,
  });
}

/** Nobody thought of half a parcel: the bug that makes a message poison. */
function printLabels({ order, parcels }: Order): string[] {
  return new Array<string>(parcels).fill(`order ${order}`);
}
