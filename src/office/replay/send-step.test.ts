import { describe, expect, it } from "vitest";
import { pause } from "../../domain/clock.ts";
import type { ItemToSend } from "../../ledger/replay-items.ts";
import { systemClock } from "../../system/host.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { ExaminedLetter } from "./examine-letters.ts";
import { type StepParts, sendStep } from "./send-step.ts";
import type { SentWindow } from "./windows-in-flight.ts";

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
      Array.from({ length: Math.min(limit, letters - after) }, (_, n) => ({ n: after + n + 1 }) as ItemToSend),
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
      return { sent: numbers.length, inDoubt: 0, again: 0 };
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

const well: SentWindow = { sent: 1, inDoubt: 0, again: 0 };

/** A step of windows of one item each, whose sends end when the test says so. */
function setup(count: number) {
  const clock = fakeClock();
  const sends: { readonly n: number; readonly end: (window: SentWindow | Error) => void }[] = [];
  const items = Array.from({ length: count }, (_, index) => ({ n: index + 1, source: "s" }) as ItemToSend);
  const step: StepParts<string> = {
    ...{ clock, signal: new AbortController().signal, limits: { batch: 4, rate: 1e9 }, room: count, lookEveryMs: 1e9 },
    next: async (after, limit) => items.filter(({ n }) => n > after).slice(0, limit),
    examine: async (window) =>
      window.map(() => {
        const candidate = { queue: "orders", orderKey: null };
        return { candidate, judgement: { decision: "replay" } } as ExaminedLetter;
      }),
    against: () => null,
    goSideBySide: async () => true,
    send: ({ items: [item] }) =>
      new Promise((resolve, reject) => {
        const end = (outcome: SentWindow | Error) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
        sends.push({ n: item?.n ?? 0, end });
      }),
    mayGoOn: async () => true,
  };
  return { step, sends, sent: () => sends.map(({ n }) => n), tick: () => clock.advance(1) };
}

describe("what is left of a step", () => {
  it("stays where it is behind a window that left a doubt, once all that is under way has landed", async () => {
    const { step, sends, sent, tick } = setup(6);
    const ending = sendStep(step);
    await tick();
    sends[1]?.end({ sent: 1, inDoubt: 1, again: 0 });
    await tick();
    for (const { end } of sends) end(well);
    expect(await ending).toBeNull();
    expect(sent()).toEqual([1, 2, 3, 4]);
  });

  it("is judged once more when a letter of its key lands while it is looked at", async () => {
    const { step, sends, sent, tick } = setup(2);
    const judged: { readonly n: number | undefined; readonly behind: "under way" | "landed" }[] = [];
    let hasLanded = false;
    const examine: typeof step.examine = async ([item]) => {
      judged.push({ n: item?.n, behind: hasLanded ? "landed" : "under way" });
      if (item?.n === 2 && !hasLanded) {
        hasLanded = true;
        sends[0]?.end(well);
        // Until whoever waits for that window has heard of it.
        await new Promise(setImmediate);
      }
      return [{ candidate: { queue: "orders", orderKey: "k" }, judgement: { decision: "replay" } } as ExaminedLetter];
    };
    const ending = sendStep({ ...step, examine });
    await tick();
    await expect.poll(sent).toEqual([1, 2]);
    sends[1]?.end(well);
    await tick();
    expect(await ending).toBeNull();
    expect(judged.at(-1)).toEqual({ n: 2, behind: "landed" });
    expect(judged).toHaveLength(3);
  });

  it("is made ready while it is looked whether all went well, and stays where that is not so", async () => {
    const { step, sends, sent, tick } = setup(3);
    const judged: number[] = [];
    const examine: typeof step.examine = (items) => {
      judged.push(...items.map(({ n }) => n));
      return step.examine(items);
    };
    const looks: ((mayGoOn: boolean) => void)[] = [];
    const mayGoOn = () => new Promise<boolean>((answer) => looks.push(answer));
    const ending = sendStep({ ...step, lookEveryMs: 0, examine, mayGoOn });
    await tick();
    await expect.poll(() => judged).toEqual([1, 2]);
    expect(sent()).toEqual([1]);
    for (const answer of looks) answer(false);
    sends[0]?.end(well);
    expect(await ending).toBeNull();
    expect(sent()).toEqual([1]);
  });

  it("ends with the failure to look whether all went well", async () => {
    const { step, sends, tick } = setup(3);
    const mayGoOn = () => Promise.reject(new Error("the ledger is away"));
    const failing = expect(sendStep({ ...step, lookEveryMs: 0, mayGoOn })).rejects.toThrow("the ledger is away");
    await tick();
    sends[0]?.end(well);
    await failing;
  });

  it("says what failed only after the others have landed", async () => {
    const { step, sends, tick } = setup(3);
    let hasEnded = false;
    const ending = sendStep(step).finally(() => {
      hasEnded = true;
    });
    const failing = expect(ending).rejects.toThrow("the ledger is away");
    await tick();
    sends[0]?.end(new Error("the ledger is away"));
    await tick();
    expect(hasEnded).toBe(false);
    for (const { end } of sends) end(well);
    await failing;
  });

  it("ends with what speaks against a window, and sends none after it", async () => {
    const { step, sends, sent, tick } = setup(3);
    const ending = sendStep({ ...step, against: () => (sends.length === 1 ? "the breaker is open" : null) });
    await tick();
    sends[0]?.end(well);
    expect(await ending).toBe("the breaker is open");
    expect(sent()).toEqual([1]);
  });
});
