import { expect, it } from "vitest";
import { paceOf } from "./pace.ts";

const running = {
  ...{ recent: 360, overS: 20, settlesInS: null, notYetSent: 1_000, stepsLeft: 1 },
  limits: { rate: 20, settleS: 120 },
};

it("says how fast letters go of late", () => {
  expect(paceOf(running).perSecond).toBe(18);
  expect(paceOf({ ...running, recent: 0, overS: 0 }).perSecond).toBe(0);
});

it("counts what is to be sent, and the wait for outcomes of each step that is left", () => {
  expect(paceOf(running).remainingS).toBe(50 + 120 + 120);
  expect(paceOf({ ...running, settlesInS: 30, stepsLeft: 0, notYetSent: 0 }).remainingS).toBe(30);
});

it("never says that less than nothing is left", () => {
  expect(paceOf({ ...running, settlesInS: -5, stepsLeft: 0, notYetSent: 0 }).remainingS).toBe(0);
});
