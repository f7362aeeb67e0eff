import { expect, it } from "vitest";
import { pause } from "../../domain/clock.ts";
import type { ReplayItem } from "../../ledger/replay-items.ts";
import { systemClock } from "../../system/host.ts";
import type { ExaminedLetter } from "./examine-letters.ts";
import { sendStep } from "./send-step.ts";

/** Sends so many letters in batches of eight. */
async function sent(
  letters: number,
  { sideBySide = true, orderKey = null }: { sideBySide?: boolean; orderKey?: string | null },
) {
  const windows: number[][] = [];
  const underWay = new Set<number>();
  let most = 0;
  const stop = await sendStep({
    ...{ clock: systemClock, signal: new AbortController().signal, lookEveryMs: 60_000 },
    ...{ limits: { batch: 8, rate: 1_000_000 }, room: letters },
    next: async (after, limit) =>
      Array.from({ length: Math.min(limit, letters - after) }, (_, n) => ({ n: after + n + 1 }) as ReplayItem),
    examine: async (items) =>
      items.map(() => ({ candidate: { queue: "q", orderKey }, judgement: { decision: "replay" } }) as ExaminedLetter),
    against: () => null,
    goSideBySide: async () => sideBySide,
    async send({ items }) {
      const numbers = items.map(({ n }) => n);
      windows.push(numbers);
      for (const n of numbers) underWay.add(n);
      most = Math.max(most, underWay.size);
      await pause(systemClock, 20);
      for (const n of numbers) underWay.delete(n);
      return { sent: numbers.length, inDoubt: 0 };
    },
    mayGoOn: async () => true,
  });
  expect(stop).toBe(null);
  expect(windows.flat()).toEqual(Array.from({ length: letters }, (_, n) => n + 1));
  return { sizes: windows.map(({ length }) => length), most };
}

it("has a batch under way in windows, and no more than a batch", async () => {
  const { sizes, most } = await sent(20, {});
  expect(sizes).toEqual(Array.from({ length: 10 }, () => 2));
  expect(most).toBeGreaterThan(2);
  expect(most).toBeLessThanOrEqual(8);
});

it("sends one batch after the other where a broker takes a batch as one", async () => {
  expect(await sent(20, { sideBySide: false })).toMatchObject({ sizes: [2, 8, 8, 2], most: 8 });
});

it("lets windows that share an ordering key follow each other", async () => {
  expect(await sent(12, { orderKey: "k" })).toMatchObject({ most: 2 });
});
