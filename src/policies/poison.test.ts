import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPoisonJudge, type PastAttempt } from "./poison.ts";

const judge = createPoisonJudge();
const failed = (sig: string, kind: PastAttempt["kind"] = "unknown"): PastAttempt => ({ sig, ...(kind && { kind }) });
const crashed: PastAttempt = { started: true };

it("is poison at the third failure of the same signature, whatever came in between", () => {
  expect(judge([failed("a"), failed("b"), failed("a")])).toEqual({ poison: false });
  expect(judge([failed("a"), failed("b"), failed("a"), failed("a")])).toEqual({
    poison: true,
    reason: "poison",
    count: 3,
    why: "failed the same way 3 times",
  });
});

it("is not poison while it fails in different ways", () => {
  expect(judge([failed("a"), failed("b"), failed("c"), failed("d")]).poison).toBe(false);
});

it("never counts a transient failure, also not one of the same signature", () => {
  fc.assert(
    fc.property(fc.nat({ max: 50 }), (length) => {
      expect(judge(Array.from({ length }, () => failed("a", "transient"))).poison).toBe(false);
    }),
  );
  expect(judge([failed("a"), failed("a"), failed("a", "transient")]).poison).toBe(false);
  expect(judge([failed("a"), failed("a", "transient"), failed("a")]).poison).toBe(false);
});

it("is crash poison when three attempts ended without a result", () => {
  expect(judge([crashed, failed("a"), crashed])).toEqual({ poison: false });
  expect(judge([crashed, failed("a"), crashed, crashed])).toMatchObject({
    poison: true,
    reason: "crash_poison",
    count: 3,
  });
});

it("says so of a crash before it says so of failures alike", () => {
  const strict = createPoisonJudge({ sameFailures: 2, crashes: 1 });
  expect(strict([crashed, failed("a"), failed("a")])).toMatchObject({ reason: "crash_poison" });
});

it("says nothing of a message without a past", () => expect(judge([])).toEqual({ poison: false }));

describe("options out of range", () => {
  it.each<[string, object]>([
    ["`poison.sameFailures` must be a whole number, between 2 and 1000. It is 1.", { sameFailures: 1 }],
    ["`poison.crashes` must be a whole number", { crashes: 0 }],
    ["Did you mean `poison.crashes`?", { crashs: 3 }],
  ])("are refused: %s", (sentence, given) => expect(() => createPoisonJudge(given)).toThrow(sentence));
});

it("goes by the count a record carries where the history was cut", () => {
  const judge = createPoisonJudge({ sameFailures: 20 });
  expect(judge([{ sig: "a", kind: "unknown", same: 19 }])).toEqual({ poison: false });
  expect(judge([{ sig: "a", kind: "unknown", same: 20 }])).toMatchObject({ poison: true, count: 20 });
});
