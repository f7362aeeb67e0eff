import { expect, it } from "vitest";
import type { Database } from "../../domain/database.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { Watchers } from "./watchers.ts";

/** Watchers over a database that only notes what it is told. */
function setup({ failing = false, deaf = false } = {}) {
  const notified: string[][] = [];
  const channels = new Map<string, () => void>();
  const clock = fakeClock();
  const database: Database = {
    serial: false,
    async query(_text, values) {
      notified.push((values ?? [])[0] as string[]);
      if (failing) throw new Error("away");
      return { rows: [], count: 0 };
    },
    transaction: () => Promise.reject(new Error("not asked for")),
    async listen(channel, wake) {
      if (deaf) throw new Error("away");
      channels.set(channel, wake);
      return async () => {
        channels.delete(channel);
      };
    },
  };
  const watchers = new Watchers({ database, schema: "dlo", notify: "notify", clock });
  const wakes: string[] = [];
  const watch = (queue: string) => watchers.watch(queue, () => wakes.push(queue));
  return { watchers, watch, wakes, notified, channels, clock };
}

it("wakes those who watch the queue in this process at once, and no others", async () => {
  const { watchers, watch, wakes } = setup();
  await watch("orders");
  await watch("mails");
  watchers.announce("orders");
  expect(wakes).toEqual(["orders"]);
});

it("notifies others once for all that is announced within a moment", async () => {
  const { watchers, notified, clock } = setup();
  for (let count = 0; count < 100; count++) watchers.announce("orders");
  watchers.announce("mails");
  expect(notified.map((channels) => channels.length)).toEqual([1]);
  await clock.advance(20);
  expect(notified.map((channels) => channels.length)).toEqual([1, 2]);
  await clock.advance(1_000);
  expect(notified).toHaveLength(2);
});

it("listens where others notify", async () => {
  const { watchers, watch, wakes, notified, channels } = setup();
  await watch("orders");
  watchers.announce("orders");
  channels.get(notified[0]?.[0] ?? "")?.();
  expect(wakes).toEqual(["orders", "orders"]);
});

it("does not mind when a notification fails", async () => {
  const { watchers, clock } = setup({ failing: true });
  watchers.announce("orders");
  await clock.advance(1_000);
});

it("wakes when the first of them becomes due, if somebody still watches", async () => {
  const { watchers, watch, wakes, clock } = setup();
  watchers.wakeAfter("orders", 10);
  const stop = await watch("orders");
  watchers.wakeAfter("orders", 500);
  watchers.wakeAfter("orders", 200);
  watchers.wakeAfter("orders", 300);
  await clock.advance(199);
  expect(wakes).toEqual([]);
  await clock.advance(1);
  expect(wakes).toEqual(["orders"]);
  watchers.wakeAfter("orders", 100);
  stop();
  await clock.advance(1_000);
  expect(wakes).toEqual(["orders"]);
});

it("forgets whoever could not listen", async () => {
  const { watchers, watch, wakes, clock } = setup({ deaf: true });
  await expect(watch("orders")).rejects.toThrow("away");
  watchers.announce("orders");
  watchers.wakeAfter("orders", 100);
  await clock.advance(1_000);
  expect(wakes).toEqual([]);
});

it("is not confused by somebody who stops twice", async () => {
  const { watchers, watch, wakes } = setup();
  const stop = await watch("orders");
  stop();
  await watch("orders");
  stop();
  watchers.announce("orders");
  expect(wakes).toEqual(["orders"]);
});

it("leaves no channel and no timer behind when it is closed", async () => {
  const { watchers, watch, channels, clock } = setup();
  await watch("orders");
  watchers.announce("orders");
  watchers.wakeAfter("orders", 10_000);
  await watchers.close();
  await watchers.close();
  expect(channels.size).toBe(0);
  expect(clock.timers).toBe(0);
});
