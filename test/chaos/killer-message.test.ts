import { expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { brokers, steppedBrokers } from "./brokers.ts";
import { plainOrder } from "./order.ts";
import { supervise } from "./supervise.ts";
import { useBroker } from "./use-broker.ts";

for (const name of steppedBrokers) {
  describeServer(
    `a message that ends every process that runs it, on ${brokers[name].label}`,
    brokers[name].missing,
    () => {
      const broker = useBroker(name);

      it("is quarantined alone among a thousand at prefetch 250, after four processes at most", async () => {
        const { send, consume, depth, judge } = broker.open("orders");
        const orders = Array.from({ length: 1_000 }, (_, index) => plainOrder(`order-${index}`));
        await send(orders.with(400, plainOrder("killer", { conduct: "exit", times: 1_000 })));

        const supervised = [0, 1].map(() =>
          supervise(() => consume({ leaseMs: 2_000, concurrency: 50, prefetch: 250 })),
        );
        await eventually(async () => (await depth()) === 0, { withinMs: 300_000 });
        const deaths = await Promise.all(supervised.map((supervisor) => supervisor.stop()));

        const { dead, processed, innocents, lost, unexpected, effectiveDuplicates } = await judge();
        expect({ dead, processed, innocents, lost, unexpected, effectiveDuplicates }).toEqual({
          dead: { crash_poison: 1 },
          processed: 999,
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
