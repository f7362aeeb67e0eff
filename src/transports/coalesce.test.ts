import { expect, it } from "vitest";
import { systemClock } from "../system/host.ts";
import { coalesce } from "./coalesce.ts";

interface Given {
  readonly atOnce?: number;
  readonly maxItems?: number;
  readonly maxWeight?: number;
  readonly limitMs?: number | null;
}

/** Batches that are answered when the test says so. Where it never does, no limit ends them long after the test. */
function setup({ atOnce = 1, maxItems = 100, maxWeight = Number.POSITIVE_INFINITY, limitMs = null }: Given = {}) {
  const batches: { readonly items: readonly number[]; answer(): void; fail(error: Error): void }[] = [];
  const ask = coalesce<number, string>({
    run: (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, answer: () => resolve(items.map((item) => `answer ${item}`)), fail: reject });
      }),
    atOnce,
    maxItems,
    limitMs,
    clock: systemClock,
    weight: { of: (item) => item, max: maxWeight },
  });
  return { ask, batches };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it("asks at once for what was asked for in one go, as one batch, each with its own answer", async () => {
  const { ask, batches } = setup();
  const answers = Promise.all([ask(1), ask(2), ask(3)]);
  await turn();
  expect(batches.map(({ items }) => items)).toEqual([[1, 2, 3]]);
  batches[0]?.answer();
  expect(await answers).toEqual(["answer 1", "answer 2", "answer 3"]);
});

it("gathers what comes while a batch is under way into the next one", async () => {
  const { ask, batches } = setup();
  const first = ask(1);
  await turn();
  const later = [ask(2), ask(3)];
  await turn();
  expect(batches).toHaveLength(1);
  batches[0]?.answer();
  await first;
  await turn();
  expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  batches[1]?.answer();
  expect(await Promise.all(later)).toEqual(["answer 2", "answer 3"]);
});

it("has as many batches under way as it may", async () => {
  const { ask, batches } = setup({ atOnce: 2 });
  void ask(1);
  await turn();
  void ask(2);
  await turn();
  void ask(3);
  await turn();
  expect(batches.map(({ items }) => items)).toEqual([[1], [2]]);
});

it("rejects all of a batch that failed, and goes on", async () => {
  const { ask, batches } = setup();
  const failing = [ask(1), ask(2)];
  await turn();
  batches[0]?.fail(new Error("cut"));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const next = ask(3);
  await turn();
  batches[1]?.answer();
  expect(await next).toBe("answer 3");
});

it("makes no batch larger or heavier than it may be, though one item alone may be heavier", async () => {
  const { ask, batches } = setup({ atOnce: 9, maxItems: 3, maxWeight: 10 });
  for (const item of [1, 1, 1, 1, 8, 2, 50, 3]) void ask(item);
  await turn();
  expect(batches.map(({ items }) => items)).toEqual([[1, 1, 1], [1, 8], [2], [50], [3]]);
});

it("does not let a batch that is never answered hold up what comes after it", async () => {
  const { ask, batches } = setup({ limitMs: 20 });
  const lost = ask(1);
  await turn();
  const next = ask(2);
  await expect(lost).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
  await turn();
  batches[1]?.answer();
  expect(await next).toBe("answer 2");
});
