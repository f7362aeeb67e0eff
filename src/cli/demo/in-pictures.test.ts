import { expect, it } from "vitest";
import { fakeWindow } from "../../../test/cli/fake-window.ts";
import type { Clock } from "../../domain/clock.ts";
import { eventually } from "../../testing/eventually.ts";
import { terminalOf } from "../terminal/terminal.ts";
import { tellInPictures } from "./in-pictures.ts";

/** Time passes as soon as somebody waits for it: what takes a minute is over in no time, turn by turn. */
function hastyClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    after(delayMs, run) {
      const turn = setImmediate(() => {
        now += delayMs;
        run();
      });
      return () => clearImmediate(turn);
    },
  };
}

/** The demonstration in a window of 80 x 24. */
function setup({ endAtMs = Number.POSITIVE_INFINITY } = {}) {
  const clock = hastyClock();
  const stop = new AbortController();
  const printed: string[] = [];
  const { window, keyboard, take, exit } = fakeWindow({ columns: 80, rows: 24 });
  const terminal = terminalOf({ isTTY: true, write: () => {} }, { NO_COLOR: "1" });
  const telling = { seed: 1, speed: 1, endAtMs, signal: stop.signal };
  const ending = tellInPictures(telling, { terminal, clock, print: (text) => printed.push(text) }, window);
  const press = (key: string) => keyboard.emit("data", key);
  return { clock, stop, printed, keyboard, take, exit, ending, press };
}

const restored = "\u001b[?25h\u001b[?1049l";

it("draws the whole story, act by act, and ends by itself", async () => {
  const { take, ending, printed } = setup();
  expect(await ending).toMatchObject({ lost: 0, queued: 0 });
  const drawn = take();
  for (const act of [1, 2, 3, 4, 5, 6, 7, 8]) expect(drawn).toContain(`${act} of 8  `);
  expect(drawn.endsWith(restored)).toBe(true);
  expect(printed.join("\n")).toMatch(/^ {2}lost +0 /m);
});

it("ends after as much of the story as was asked for", async () => {
  const { tookMs } = await setup({ endAtMs: 2_000 }).ending;
  expect(tookMs).toBeGreaterThanOrEqual(2_000);
  expect(tookMs).toBeLessThan(4_000);
});

it.each(["q", "\u0003", "\u001b"])("gives the window back and sums up on the key %j", async (key) => {
  const { press, take, printed, ending } = setup();
  press(key);
  expect(await ending).toMatchObject({ lost: 0 });
  expect(take()).toContain(restored);
  expect(printed.join("\n")).toContain("What became of");
});

it("gives the window back when it is told to stop", async () => {
  const { stop, take, keyboard, ending } = setup();
  stop.abort();
  await ending;
  expect(take()).toContain(restored);
  expect(keyboard.raw).toBe(false);
});

it("gives the window back when the process ends without waiting", async () => {
  const { exit, take, stop, ending } = setup();
  exit();
  expect(take()).toContain(restored);
  stop.abort();
  await ending;
});

it("halts and goes on with the space bar", async () => {
  const { clock, press, take, stop, ending } = setup();
  press(" ");
  await eventually(() => take().includes("halted"));
  const haltedAt = clock.now();
  await eventually(() => clock.now() > haltedAt + 5_000);
  expect(take()).toBe("");
  press(" ");
  await eventually(() => take().includes("space halts"));
  stop.abort();
  await ending;
});
