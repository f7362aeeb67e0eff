import { expect, it } from "vitest";
import { fakeClock } from "../testing/fake-clock.ts";
import { BrokerTime } from "./broker-time.ts";

it("goes by our own clock until the broker has told its time", () => {
  expect(new BrokerTime(fakeClock(1_000)).now()).toBe(1_000);
});

it("follows the broker's clock, ahead of ours or behind", async () => {
  for (const skewMs of [-5_000, 5_000]) {
    const clock = fakeClock(10_000);
    const time = new BrokerTime(clock);
    time.observe(clock.now() + skewMs);
    await clock.advance(250);
    expect(time.now()).toBe(10_250 + skewMs);
  }
});

it("believes the quickest of its answers: a slow one only seems to say that the clock is behind", () => {
  const time = new BrokerTime(fakeClock(10_000));
  for (const appendedAt of [9_000, 9_990, 8_000]) time.observe(appendedAt);
  expect(time.now()).toBe(9_990);
});

it("forgets answers of long ago, since clocks drift", () => {
  const time = new BrokerTime(fakeClock(10_000));
  time.observe(20_000);
  for (let answers = 0; answers < 32; answers++) time.observe(9_999);
  expect(time.now()).toBe(9_999);
});
