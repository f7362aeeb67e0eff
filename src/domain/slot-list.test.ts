import fc from "fast-check";
import { expect, it } from "vitest";
import { SlotList, type Slotted } from "./slot-list.ts";

it("holds what was added and not removed, whatever the order", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ add: fc.boolean(), which: fc.nat(9) })), (steps) => {
      const items: Slotted[] = Array.from({ length: 10 }, () => ({ slot: -1 }));
      const list = new SlotList<Slotted>();
      const expected = new Set<Slotted>();
      for (const { add, which } of steps) {
        const item = items[which] as Slotted;
        if (add && !list.has(item)) list.add(item);
        if (!add) list.remove(item);
        if (add) expected.add(item);
        else expected.delete(item);
      }
      expect(new Set(list.all)).toEqual(expected);
      expect([list.size, items.filter((item) => list.has(item)).length]).toEqual([expected.size, expected.size]);
    }),
  );
});
