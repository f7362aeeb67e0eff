import { describe, expect, it } from "vitest";
import { inTurn, runToEnd, type Steps } from "./steps.ts";

function* counting(to: number): Steps<number> {
  for (let step = 1; step <= to; step++) yield step / to;
  return to;
}

describe("inTurn", () => {
  it("gives all results, in order", () => {
    expect(runToEnd(inTurn([counting(1), counting(3), counting(2)]))).toEqual([1, 3, 2]);
  });

  it("makes steady progress from one simulation to the next, ending at 1", () => {
    expect([...inTurn([counting(2), counting(1)])]).toEqual([0.25, 0.5, 1]);
  });
});
