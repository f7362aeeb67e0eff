import { expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { brokerNames, brokers } from "./brokers.ts";
import { plainOrder } from "./order.ts";
import { supervise } from "./supervise.ts";
import { useBroker } from "./use-broker.ts";

for (const name of brokerNames) {
  describeServer(
    `a message that ends every process that runs it, on ${brokers[name].label}`,
    brokers[name].missing,
    () => {
      const broker = useBroker(name);

      const { orders: count, ...how } = brokers[name].crowd ?? { orders: 1_000, concurrency: 50, prefetch: 250 };

      it(`is quarantined alone among ${count} at prefetch ${how.prefetch}, after four processes at most`, async () => {
        const { send, consume, depth, judge } = broker.open("orders");
        const orders = Array.from({ length: count }, (_, index) => plainOrder(`order-${index}`));
        await send(orders.with(count * 0.4, plainOrder("killer", { conduct: "exit", times: 1_000 })));

        const supervised = [0, 1].map(() => supervise(() => consume({ leaseMs: 2_000, ...how })));
        await eventually(async () => (await depth()) === 0, { withinMs: 300_000 });
        const deaths = await Promise.all(supervised.map((supervisor) => supervisor.stop()));

        const { dead, processed, innocents, lost, unexpected, effectiveDuplicates } = await judge();
        expect({ dead, processed, innocents, lost, unexpected, effectiveDuplicates }).toEqual({
          dead: { crash_poison: 1 },
          processed: count - 1,
          innocents: [],
          lost: [],
          unexpected: [],
          effectiveDuplicates: [],
        });
        // One less where it came again before it ever ran, a connection having been lost: then it is suspected at once.
        expect(deaths.flat().length).toBeOneOf([3, 4]);
      });
    },
  );
}
