import { expect, it } from "vitest";
import { fakeClock } from "../../testing/fake-clock.ts";
import { type Pace, play } from "./play.ts";

/** Something to play that is over after `lengthMs`, and a clock to play it by. */
function setup({ lengthMs = 1_000, ...pace }: Partial<Pace> & { readonly lengthMs?: number } = {}) {
  const clock = fakeClock();
  const story = {
    atMs: 0,
    get isOver() {
      return story.atMs >= lengthMs;
    },
    async advance(ms: number) {
      story.atMs += ms;
    },
  };
  const steps: number[] = [];
  let ended = false;
  void play(story, {
    clock,
    speed: 1,
    endAtMs: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    isHalted: () => false,
    step: () => steps.push(story.atMs),
    frame: () => {},
    ...pace,
  }).then(() => {
    ended = true;
  });
  return { clock, story, steps, ended: () => ended };
}

it("lets as much of the story pass as the clock says", async () => {
  const { clock, story, ended } = setup();
  await clock.advance(500);
  expect(story.atMs).toBe(500);
  expect(ended()).toBe(false);
  await clock.advance(600);
  expect(ended()).toBe(true);
});

it("plays faster and slower, stepping at the same moments of the story", async () => {
  const [fast, slow] = [setup({ speed: 10 }), setup({ speed: 0.37 })];
  await Promise.all([fast.clock.advance(200), slow.clock.advance(4_000)]);
  expect(fast.steps).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000]);
  expect(slow.steps).toEqual(fast.steps);
});

it("stops where it is told to, to the millisecond", async () => {
  const { clock, story, ended } = setup({ endAtMs: 250, speed: 3 });
  await clock.advance(300);
  expect({ atMs: story.atMs, ended: ended() }).toEqual({ atMs: 250, ended: true });
});

it("stops at once when its signal aborts", async () => {
  const stop = new AbortController();
  const { clock, ended } = setup({ signal: stop.signal });
  await clock.advance(150);
  stop.abort();
  await clock.advance(0);
  expect(ended()).toBe(true);
});

it("stands still while it is halted", async () => {
  let halted = true;
  const { clock, story } = setup({ isHalted: () => halted });
  await clock.advance(500);
  expect(story.atMs).toBe(0);
  halted = false;
  await clock.advance(300);
  expect(story.atMs).toBe(300);
});

it("goes on where it was after the process stood still, and does not catch up", async () => {
  const clock = fakeClock();
  let asleepMs = 0;
  const dozing = { now: () => clock.now() + asleepMs, after: clock.after };
  const { story } = setup({ clock: dozing, lengthMs: 10_000 });
  await clock.advance(100);
  asleepMs = 3_600_000;
  await clock.advance(100);
  expect(story.atMs).toBe(100 + 250);
});
