import fc from "fast-check";
import { expect, it } from "vitest";
import { hexOf, idOfUuid, idsInOrder, makeId, readId, showId, timeOfId, uuidOf } from "./ids.ts";

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

it("reads back what it shows, whatever the bytes", () => {
  fc.assert(
    fc.property(bytes, (id) => {
      expect(hexOf(readId("letter", showId("letter", id)))).toBe(hexOf(id));
      expect(hexOf(readId("group", showId("group", id).toLowerCase()))).toBe(hexOf(id));
      expect(hexOf(idOfUuid(uuidOf(id)))).toBe(hexOf(id));
    }),
  );
});

it("sorts by time, as bytes and as text", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 46), fc.nat(1_000_000), fc.uuid(), fc.uuid(), (time, laterBy, chance, other) => {
      const earlier = makeId(time, chance);
      const later = makeId(time + laterBy + 1, other);
      expect(timeOfId(earlier)).toBe(time);
      expect(showId("letter", earlier) < showId("letter", later)).toBe(true);
      expect(uuidOf(earlier) < uuidOf(later)).toBe(true);
    }),
  );
});

it.each([
  "",
  "ltr_",
  "grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H",
  "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0U",
  "ltr_81JCQ8ZK4M6T8V0X2Z4B6D8F0H",
])("refuses %j, and shows what an id looks like", (text) =>
  expect(() => readId("letter", text)).toThrow("those look like ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H"),
);

it("makes ids that sort in the order they were made, also within a millisecond and when the clock goes back", () => {
  const next = idsInOrder(() => crypto.randomUUID());
  const times = [...Array.from({ length: 300 }, () => 1_000), 900, 1_001, 1_001];
  const made = times.map((time) => hexOf(next(time)));
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(times.length);
});
