import { expect, it } from "vitest";
import { limitFlag, upTo } from "./limit-flag.ts";

/** Numbers up to 25, in pages of at most ten. */
async function page(size: number, from: number | null) {
  const start = from ?? 0;
  const items = Array.from({ length: Math.min(size, 10, 25 - start) }, (_, n) => start + n);
  const end = start + items.length;
  return { items, next: end < 25 ? end : null };
}

it("gathers as many as are wanted, and says where they go on", async () => {
  const place = { pageSize: 10, from: null };
  expect(await upTo(7, place, page)).toEqual({ items: [0, 1, 2, 3, 4, 5, 6], next: 7 });
  expect((await upTo(23, place, page)).items).toHaveLength(23);
  expect(await upTo(23, place, page)).toMatchObject({ next: 23 });
  expect(await upTo(1_000, place, page)).toMatchObject({ items: { length: 25 }, next: null });
  expect(await upTo(3, { pageSize: 10, from: 24 }, page)).toEqual({ items: [24], next: null });
});

it("takes a number, or all", () => {
  const { parse } = limitFlag("how many at most");
  expect([parse("3", "--limit"), parse("all", "--limit") > 10_000]).toEqual([3, true]);
  expect(() => parse("none", "--limit")).toThrow("`--limit` must be a whole number");
});
