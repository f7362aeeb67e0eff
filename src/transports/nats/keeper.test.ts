import { expect, it } from "vitest";
import { fakeClock } from "../../testing/fake-clock.ts";
import { Keeper } from "./keeper.ts";
import type { NatsReceipt } from "./receipt.ts";

/** A lease of a minute, on a consumer that waits for three seconds. */
function setup() {
  const clock = fakeClock();
  const kept: string[] = [];
  const keeper = new Keeper(clock, (receipts) => {
    for (const receipt of receipts) {
      kept.push(receipt.id);
      receipt.serverUntil = clock.now() + receipt.ackWaitMs;
    }
  });
  const receipt = (id: string, leaseMs: number) => {
    const until = { until: clock.now() + leaseMs, serverUntil: clock.now() + 3_000 };
    return { id, ackWaitMs: 3_000, ...until } as NatsReceipt;
  };
  return { clock, keeper, kept, receipt };
}

it("tells the server of what is worked on for longer than it waits, until that is over", async () => {
  const { clock, keeper, kept, receipt } = setup();
  keeper.add(receipt("a", 5_500));
  await clock.advance(20_000);
  expect(kept).toEqual(["a", "a", "a", "a", "a"]);
  expect(clock.timers).toBe(0);
});

it("says nothing of what is released, nor of what the server keeps for long enough", async () => {
  const { clock, keeper, kept, receipt } = setup();
  const long = receipt("long", 60_000);
  keeper.add(long);
  keeper.add(receipt("short", 2_000));
  await clock.advance(1_000);
  keeper.release(long);
  await clock.advance(60_000);
  expect(kept).toEqual(["long"]);
});
