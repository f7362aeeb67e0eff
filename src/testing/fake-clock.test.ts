import { expect, it } from "vitest";
import { pause } from "../domain/clock.ts";
import { fakeClock } from "./fake-clock.ts";

it("stands still until it is told to go on", async () => {
  const clock = fakeClock(1_000);
  expect(clock.now()).toBe(1_000);
  await clock.advance(250);
  expect(clock.now()).toBe(1_250);
});

it("runs timers in order, each at its own time", async () => {
  const clock = fakeClock(0);
  const ran: string[] = [];
  const note = (name: string) => () => ran.push(`${name} at ${clock.now()}`);
  clock.after(20, note("second"));
  clock.after(10, note("first"));
  clock.after(20, note("third"));
  clock.after(31, note("later"));
  await clock.advance(30);
  expect(ran).toEqual(["first at 10", "second at 20", "third at 20"]);
  expect(clock.timers).toBe(1);
});

it("lets promises run between timers, and runs what they set in the same time", async () => {
  const clock = fakeClock(0);
  const times: number[] = [];
  async function beat(): Promise<void> {
    for (;;) {
      await pause(clock, 10);
      times.push(clock.now());
    }
  }
  void beat();
  await clock.advance(35);
  expect(times).toEqual([10, 20, 30]);
});

it("does not run what was cancelled, and takes a second cancelling for nothing", async () => {
  const clock = fakeClock();
  let ran = false;
  const cancel = clock.after(1, () => {
    ran = true;
  });
  cancel();
  cancel();
  await clock.advance(10);
  expect([ran, clock.timers]).toEqual([false, 0]);
});
