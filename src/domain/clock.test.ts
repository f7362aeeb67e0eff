import { expect, it } from "vitest";
import { fakeClock } from "../testing/fake-clock.ts";
import { within } from "./clock.ts";

const never = () => new Promise<string>(() => {});
const tooLate = () => "too late";

it("is what was asked for, if that comes in time, and leaves no timer behind", async () => {
  const clock = fakeClock();
  expect(await within(clock, 100, Promise.resolve("in time"), tooLate)).toBe("in time");
  await expect(within(clock, 100, Promise.reject(new Error("no")), tooLate)).rejects.toThrow("no");
  expect(clock.timers).toBe(0);
});

it("is something else once the limit is over, and not before", async () => {
  const clock = fakeClock();
  let answer: string | undefined;
  void within(clock, 100, never(), tooLate).then((given) => {
    answer = given;
  });
  await clock.advance(99);
  expect(answer).toBeUndefined();
  await clock.advance(1);
  expect(answer).toBe("too late");
});

it("fails with what is thrown once the limit is over", async () => {
  const clock = fakeClock();
  const failed = expect(
    within(clock, 100, never(), () => {
      throw new Error("silence");
    }),
  ).rejects.toThrow("silence");
  await clock.advance(100);
  await failed;
});

it("does not hear a rejection that comes too late", async () => {
  const clock = fakeClock();
  let fail: (error: Error) => void = () => {};
  const asking = new Promise<string>((_, reject) => {
    fail = reject;
  });
  const answer = within(clock, 100, asking, tooLate);
  await clock.advance(100);
  fail(new Error("late"));
  expect(await answer).toBe("too late");
});
