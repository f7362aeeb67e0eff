import { expect, it } from "vitest";
import { fakeClock } from "../../testing/fake-clock.ts";
import { Waits, wasHidden } from "./waits.ts";

const facts = { sentAt: 1_000, firstReceivedAt: 2_000, receives: 1, waitMs: 60_000 };

it("goes by the clock of SQS, however wrong our own is", async () => {
  const clock = fakeClock();
  const waits = new Waits(clock, 10);
  waits.observe(facts);
  expect(waits.leftMs(facts)).toBe(59_000);
  await clock.advance(59_000);
  expect(waits.leftMs(facts)).toBe(0);
});

it("lets only so many wait in flight, until they are seen again", async () => {
  const clock = fakeClock();
  const waits = new Waits(clock, 2);
  expect([waits.mayHide(1_000), waits.mayHide(5_000), waits.mayHide(1_000)]).toEqual([true, true, false]);
  await clock.advance(1_000);
  expect([waits.mayHide(1_000), waits.mayHide(1_000)]).toEqual([true, false]);
});

it("does not count the receive that came too early and only hid the message", () => {
  expect([wasHidden(facts), wasHidden({ ...facts, receives: 2 })]).toEqual([false, true]);
  expect(wasHidden({ ...facts, receives: 2, firstReceivedAt: 70_000 })).toBe(false);
  expect(wasHidden({ ...facts, receives: 2, waitMs: 0 })).toBe(false);
});
