import fc from "fast-check";
import { expect, it } from "vitest";
import { nextTurn } from "../../system/turn.ts";
import { Acknowledger, type Unsettled, type Words } from "./acknowledger.ts";
import type { Acknowledgement } from "./raw-frames.ts";

interface Item extends Unsettled<Item> {}

/** What a broker does with what it is told: naming what is no longer open ends the channel. */
class Broker implements Words {
  readonly open = new Set<number>();
  readonly requeued: number[] = [];
  words = 0;
  isClosed = false;

  acknowledge(acknowledgements: readonly Acknowledgement[]): void {
    for (const { tag, multiple } of acknowledgements) {
      this.#hear(tag);
      for (const open of [...this.open]) if (open === tag || (multiple && open < tag)) this.open.delete(open);
    }
  }

  requeue(tag: number): void {
    this.#hear(tag);
    this.open.delete(tag);
    this.requeued.push(tag);
  }

  ask = async () => {};

  #hear(tag: number): void {
    if (this.isClosed) throw new Error("Channel closed");
    this.words += 1;
    if (!this.open.has(tag)) throw new Error(`PRECONDITION_FAILED - unknown delivery tag ${tag}`);
  }
}

function setup({ coalesce = true, count = 0 } = {}) {
  const broker = new Broker();
  const acknowledger = new Acknowledger<Item>(broker, coalesce);
  const items: Item[] = [];
  const take = () => {
    const item: Item = { tag: items.length + 1, state: "open", before: null, after: null };
    broker.open.add(item.tag);
    items.push(item);
    acknowledger.take(item);
    return item;
  };
  for (let number = 0; number < count; number++) take();
  return { broker, acknowledger, items, take };
}

it("acknowledges many with one word", async () => {
  const { broker, acknowledger, items } = setup({ count: 100 });
  for (const item of items) acknowledger.acknowledge(item);
  await nextTurn();
  expect([broker.open.size, broker.words]).toEqual([0, 1]);
});

it("lets nothing that is finished wait for something that is not", async () => {
  const { broker, acknowledger, items } = setup({ count: 5 });
  const [slow, ...others] = items;
  for (const item of others) acknowledger.acknowledge(item);
  await nextTurn();
  expect([...broker.open]).toEqual([1]);
  acknowledger.acknowledge(slow as Item);
  await nextTurn();
  expect([broker.open.size, acknowledger.lost]).toEqual([0, false]);
});

it("has a word for each when it is asked to", async () => {
  const { broker, acknowledger, items } = setup({ coalesce: false, count: 100 });
  for (const item of items) acknowledger.acknowledge(item);
  await nextTurn();
  expect([broker.open.size, broker.words]).toEqual([0, 100]);
});

it("says everything that is left before it is closed", () => {
  const { broker, acknowledger, items } = setup({ count: 3 });
  for (const item of items) acknowledger.acknowledge(item);
  acknowledger.flush();
  expect(broker.open.size).toBe(0);
});

it("never names what the broker has heard of, in whatever order things finish, come and go back", async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("take" as const) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("finish" as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("requeue" as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("turn" as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.boolean(), async (steps, coalesce) => {
      const { broker, acknowledger, items, take } = setup({ coalesce });
      const finished = new Set<number>();
      for (const { kind, ...step } of steps) {
        const item = "which" in step ? items[step.which % Math.max(1, items.length)] : undefined;
        if (kind === "take") take();
        else if (kind === "turn") await nextTurn();
        else if (item !== undefined && kind === "requeue") acknowledger.requeue(item);
        else if (item !== undefined) {
          if (item.state === "open") finished.add(item.tag);
          acknowledger.acknowledge(item);
        }
      }
      await nextTurn();
      expect(acknowledger.lost).toBe(false);
      const gone = new Set([...finished, ...broker.requeued]);
      expect([...broker.open]).toEqual(items.map(({ tag }) => tag).filter((tag) => !gone.has(tag)));
      expect(broker.requeued.filter((tag) => finished.has(tag))).toEqual([]);
    }),
  );
});

it("says nothing more once its channel is gone", async () => {
  const { broker, acknowledger, items } = setup({ count: 2 });
  acknowledger.acknowledge(items[0] as Item);
  broker.isClosed = true;
  await nextTurn();
  expect(acknowledger.lost).toBe(true);
  acknowledger.acknowledge(items[1] as Item);
  acknowledger.requeue(items[1] as Item);
  await acknowledger.heard();
  expect(broker.words).toBe(0);
});
