import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countItems, type ItemStanding, rampEnds, verdictOf } from "./replay-counts.ts";

const progresses = [
  ...(["not_yet_sent", "in_doubt", "released", "confirmed", "presumed"] as const),
  ...(["suppressed", "returned", "unknown", "waiting"] as const),
];
const standing: fc.Arbitrary<ItemStanding & { n: number }> = fc.record({
  decision: fc.constantFrom("replay", "ack_required", "skip"),
  mark: fc.constantFrom("excluded", "drifted", null),
  isAcknowledged: fc.boolean(),
  progress: fc.constantFrom(...progresses),
  n: fc.nat(1_000),
});
const ready: ItemStanding & { n: number } = {
  ...{ decision: "replay", mark: null, isAcknowledged: false, progress: "not_yet_sent", n: 1 },
};

describe("the counts of a replay", () => {
  it("add up at every moment", () => {
    fc.assert(
      fc.property(fc.array(standing), (standings) => {
        const c = countItems(standings);
        expect(c.selected).toBe(standings.reduce((sum, { n }) => sum + n, 0));
        expect(c.selected).toBe(c.toSend + c.ackRequired + c.skipped + c.excluded + c.drifted);
        expect(c.toSend).toBe(c.notYetSent + c.sent + c.inDoubt + c.released);
        expect(c.sent).toBe(c.confirmed + c.presumed + c.suppressed + c.returned + c.unknown + c.waiting);
      }),
    );
  });

  it("move an item that is acknowledged to what will be sent", () => {
    const risky = { ...ready, decision: "ack_required" } as const;
    expect(countItems([risky])).toMatchObject({ ackRequired: 1, toSend: 0 });
    expect(countItems([{ ...risky, isAcknowledged: true }])).toMatchObject({ ackRequired: 0, toSend: 1 });
  });

  it("count as sent what was sent, even if it would not be any more", () => {
    expect(countItems([{ ...ready, mark: "drifted", progress: "returned" }])).toMatchObject({
      drifted: 0,
      returned: 1,
    });
  });
});

describe("the verdict", () => {
  it.each([
    ["with returns", ["returned", "unknown", "presumed"]],
    ["inconclusive", ["unknown", "presumed"]],
    ["inconclusive", ["in_doubt", "confirmed"]],
    ["presumed clean", ["presumed", "confirmed"]],
    ["clean", ["confirmed", "suppressed"]],
  ] as const)("is %s for %j", (verdict, all) => {
    expect(verdictOf(countItems(all.map((progress) => ({ ...ready, progress }))))).toBe(verdict);
  });
});

describe("a ramp", () => {
  it.each([
    [[5, 50], 1_117, [5, 55, 1_117]],
    [[5, 50], 55, [5, 55]],
    [[5, 50], 3, [3]],
    [[], 10, [10]],
    [[5], 0, []],
  ])("%j of %i ends at %j", (ramp, total, ends) => expect(rampEnds(ramp, total)).toEqual(ends));
});
