import { expect, it } from "vitest";
import { fakeClock } from "../../testing/fake-clock.ts";
import { OneByOne } from "./one-by-one.ts";

function setup() {
  const clock = fakeClock();
  const suspect = (leaseMs = 30_000, redelivered = false) => {
    return { queue: "orders", redelivered, leaseUntil: clock.now() + leaseMs };
  };
  return { clock, turns: new OneByOne(clock), suspect };
}

it("lets those that wait come back one after the other, not all at once each second", async () => {
  const { clock, turns, suspect } = setup();
  const first = suspect();
  const waits = [first, suspect(), suspect(), suspect()].map((one) => turns.waitMs(one));
  expect(waits).toEqual([0, 1_000, 2_000, 3_000]);
  await clock.advance(1_000);
  expect(turns.waitMs(suspect())).toBe(3_000);
  turns.over(first);
  expect(turns.waitMs(suspect())).toBe(0);
});

it("lets none wait for longer than SQS delays by itself", () => {
  const { turns, suspect } = setup();
  const waits = Array.from({ length: 2_000 }, () => turns.waitMs(suspect()));
  expect(Math.max(...waits)).toBe(900_000);
});

it("hides one that was redelivered until the one in hand must be over, since each receive counts", () => {
  const { turns, suspect } = setup();
  turns.waitMs(suspect(20_000));
  expect(turns.waitMs(suspect(30_000, true))).toBe(20_000);
});

it("waits no longer for one whose lease is over", async () => {
  const { clock, turns, suspect } = setup();
  turns.waitMs(suspect(1_000));
  await clock.advance(1_000);
  expect(turns.waitMs(suspect())).toBe(0);
});
