import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeRuns, type Fate, maxMetadataBytes, RunList } from "./commit-metadata.ts";
import { Progress, type Unfinished } from "./progress.ts";

interface Item extends Unfinished<Item> {
  inHand: boolean;
}

const unfinished = (offset: number, inHand = false): Item => ({ offset, inHand, before: null, after: null });

/** What a commit says of the offsets from `from` on. */
function fates(commitment: { readonly offset: number; readonly metadata: string }, upTo: number): Map<number, Fate> {
  const progress = new Progress<Item>(commitment.offset, commitment.metadata);
  const all = new Map<number, Fate>();
  for (let offset = commitment.offset; offset < upTo; offset++) all.set(offset, progress.fateOf(offset));
  return all;
}

it("codes any runs as text, and reads them back", () => {
  const run = fc.record({
    fate: fc.constantFrom<Fate>("finished", "in-hand", "untouched"),
    length: fc.integer({ min: 1, max: 2 ** 40 }),
  });
  const spread = (runs: readonly { fate: Fate; length: number }[]) => {
    let at = 0;
    return runs
      .map(({ fate, length }) => {
        at += length;
        return { fate, until: at };
      })
      .filter(({ fate }, index, all) => all[index + 1]?.fate !== fate)
      .filter(({ fate }, index, all) => fate !== "untouched" || index < all.length - 1);
  };
  fc.assert(
    fc.property(fc.array(run, { maxLength: 50 }), (runs) => {
      const list = new RunList();
      for (const { fate, length } of runs) list.add(fate, length);
      expect(spread(decodeRuns(list.encode()))).toEqual(spread(runs));
    }),
  );
});

it.each(["", "somebody else's", "dlo1:", "dlo1:%%%"])("takes metadata it did not write for silence: %s", (metadata) => {
  expect(new Progress<Item>(5, metadata).fateOf(5)).toBe("untouched");
});

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("read" as const), gap: fc.nat({ max: 3 }), count: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ kind: fc.constantFrom("take" as const, "finish" as const, "put back" as const), pick: fc.nat() }),
    fc.constant({ kind: "take over" as const }),
  ),
  { maxLength: 120 },
);

/** A partition as it really is, beside what is committed of it. */
class Model {
  progress = new Progress<Item>(0, "");
  items = new Map<number, Item>();
  readonly finished = new Set<number>();
  readonly real: number[] = [];

  read(gap: number, count: number): void {
    let offset = this.progress.position + gap;
    for (const end = offset + count; offset < end; offset++) {
      const known = this.real.includes(offset);
      if (!known) this.real.push(offset);
      const fate = this.progress.fateOf(offset);
      if (fate !== "finished") this.add(unfinished(offset, fate === "in-hand"));
    }
    this.progress.advance(offset);
  }

  /** Reads again exactly what was read before, as a successor does. */
  takeOver(): void {
    const { offset, metadata } = this.progress.commitment();
    this.progress = new Progress<Item>(offset, metadata);
    this.items = new Map();
    for (const one of this.real.filter((known) => known >= offset)) {
      const fate = this.progress.fateOf(one);
      expect(fate === "finished").toBe(this.finished.has(one));
      if (fate !== "finished") this.add(unfinished(one, fate === "in-hand"));
    }
    this.progress.advance(Math.max(offset, ...this.real.map((known) => known + 1)));
  }

  add(item: Item): void {
    this.items.set(item.offset, item);
    this.progress.add(item);
  }

  pick(number: number): Item | undefined {
    const all = [...this.items.values()];
    return all[number % all.length];
  }
}

it("never commits past unfinished work, repeats nothing finished, and remembers what was in hand", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const model = new Model();
      for (const step of all) {
        if (step.kind === "read") model.read(step.gap, step.count);
        else if (step.kind === "take over") model.takeOver();
        else {
          const item = model.pick(step.pick);
          if (item === undefined) continue;
          if (step.kind === "take") {
            item.inHand = true;
            model.progress.take(item);
          } else if (step.kind === "put back") item.inHand = false;
          else {
            model.items.delete(item.offset);
            model.finished.add(item.offset);
            model.progress.finish(item);
          }
        }
        const commitment = model.progress.commitment();
        const told = fates(commitment, model.progress.position);
        for (const [offset, item] of model.items) {
          expect(offset).toBeGreaterThanOrEqual(commitment.offset);
          expect(told.get(offset)).toBe(item.inHand ? "in-hand" : "untouched");
        }
        for (const offset of model.finished) {
          if (offset >= commitment.offset) expect(told.get(offset)).toBe("finished");
        }
      }
    }),
    { numRuns: 300 },
  );
});

it("takes no work that could make the metadata too long, in whatever order messages finish", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 40 }), { minLength: 3_500, maxLength: 4_500 }),
      fc.infiniteStream(fc.nat()),
      (gaps, dice) => {
        const progress = new Progress<Item>(0, "");
        let offset = 0;
        const items = gaps.map((gap) => {
          offset += 1 + gap;
          return unfinished(offset);
        });
        for (const item of items) progress.add(item);
        progress.advance(offset + 1);
        const taken: Item[] = [];
        for (const item of items) {
          if (!progress.fits(item)) break;
          item.inHand = true;
          progress.take(item);
          taken.push(item);
        }
        expect(taken.length).toBeGreaterThan(500);
        expect(taken.length).toBeLessThan(items.length);
        while (taken.length > 0) {
          const [item] = taken.splice((dice.next().value ?? 0) % taken.length, 1);
          if (item) progress.finish(item);
          if (taken.length % 200 === 0)
            expect(progress.commitment().metadata.length).toBeLessThanOrEqual(maxMetadataBytes);
        }
      },
    ),
    { numRuns: 5 },
  );
});

it("commits behind everything when nothing is unfinished", () => {
  const progress = new Progress<Item>(0, "");
  progress.advance(7);
  expect(progress.commitment()).toEqual({ offset: 7, metadata: "" });
});

it("keeps what the last commit said of offsets it has not read again yet", () => {
  const before = new Progress<Item>(0, "");
  const items = Array.from({ length: 10 }, (_, offset) => unfinished(offset));
  for (const item of items) before.add(item);
  before.advance(10);
  for (const item of items.slice(5)) before.finish(item);
  const { offset, metadata } = before.commitment();
  const after = new Progress<Item>(offset, metadata);
  after.add(unfinished(0));
  after.advance(1);
  expect(fates(after.commitment(), 10).get(7)).toBe("finished");
  expect(fates(after.commitment(), 10).get(3)).toBe("untouched");
});
