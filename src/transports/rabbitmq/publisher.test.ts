import { expect, it } from "vitest";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { Connection } from "./connection.ts";
import { Publisher } from "./publisher.ts";
import { SilentQueues } from "./silent-queues.ts";
import type { Topology } from "./topology.ts";

/** A publisher on a connection that confirms when the test says so. */
function setup() {
  const clock = fakeClock();
  const confirms: ((error: unknown) => void)[] = [];
  const listeners: ((reason: string | null) => void)[] = [];
  const channel = {
    on: () => {},
    close: async () => {},
    sendMessage: () => true,
    pushConfirmCallback: (confirm: (error: unknown) => void) => confirms.push(confirm),
  };
  const connection = {
    blocked: null as string | null,
    open: async () => ({ propertiesLimit: 100_000, openConfirmChannel: async () => channel }),
    onBlocked: (changed: (reason: string | null) => void) => {
      listeners.push(changed);
      return () => {};
    },
  };
  const publisher = new Publisher({
    ...{ clock, answerWithinMs: 2_000, blockedWithinMs: 60_000, silent: new SilentQueues(clock) },
    connection: connection as unknown as Connection,
    topology: { isReady: () => true, mayMake: () => false } as unknown as Topology,
  });
  const block = (reason: string | null) => {
    connection.blocked = reason;
    for (const changed of listeners) changed(reason);
  };
  const parcel = { properties: Buffer.alloc(0), body: Buffer.from("x") };
  return { clock, confirms, block, publish: () => publisher.publish({ name: "orders" }, parcel) };
}

it("gives what a blocked broker held up its time to be answered from when the broker reads again", async () => {
  const { clock, confirms, block, publish } = setup();
  const sending = publish();
  await clock.advance(100);
  block("low on memory");
  await clock.advance(7_000);
  block(null);
  // Its next look is due 900 ms from now.
  await clock.advance(1_900);
  confirms[0]?.(null);
  await expect(sending).resolves.toBeUndefined();
});

it("gives up on a broker that reads again and does not answer", async () => {
  const { clock, block, publish } = setup();
  const sending = expect(publish()).rejects.toThrow("did not confirm a message for orders in 9100 ms");
  await clock.advance(100);
  block("low on memory");
  await clock.advance(7_000);
  block(null);
  await clock.advance(2_000);
  await sending;
});
