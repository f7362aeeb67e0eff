import { describe, expect, it } from "vitest";
import type { Clock } from "../domain/clock.ts";
import { isBreakerOpen } from "../policies/breaker-open.ts";
import { readFailure } from "../policies/failure.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { type BreakerChange, type BreakerOptions, createBreaker } from "./breaker.ts";

function setup(options: BreakerOptions = {}) {
  const clock = fakeClock();
  const breaker = createBreaker({ name: "payments", recoveryMs: 10_000, clock, ...options });
  const changes: BreakerChange[] = [];
  const call = (result: "succeeded" | "failed") => {
    const token = breaker.admit();
    if (token !== 0) breaker[result](token);
    return token !== 0;
  };
  const trip = () => [1, 2, 3, 4, 5].forEach(() => void call("failed"));
  return { clock, breaker, changes, call, trip, listen: () => breaker.onChange((change) => changes.push(change)) };
}

const down = () => Promise.reject(Object.assign(new Error("down"), { status: 503 }));

it("opens, lets a probe through when its time has come, and closes", async () => {
  const { clock, breaker, call, trip } = setup();
  trip();
  expect([breaker.phase, breaker.limit, breaker.retryInMs(), breaker.admit()]).toEqual(["open", 0, 10_000, 0]);
  await clock.advance(10_000);
  expect([breaker.phase, breaker.limit, breaker.retryInMs()]).toEqual(["half-open", 1, 0]);
  call("succeeded");
  call("succeeded");
  expect([breaker.phase, breaker.limit]).toEqual(["closed", Number.POSITIVE_INFINITY]);
});

it("tells listeners of every change of phase, also of the one that only time makes", async () => {
  const { clock, changes, call, trip, listen } = setup();
  listen();
  trip();
  await clock.advance(10_000);
  expect(changes).toEqual([
    { name: "payments", from: "closed", to: "open", because: "5 failures in a row" },
    { name: "payments", from: "open", to: "half-open", because: "the recovery time is over" },
  ]);
  call("failed");
  await clock.advance(10_000);
  call("succeeded");
  call("succeeded");
  expect(changes.slice(2).map(({ to }) => to)).toEqual(["open", "half-open", "closed"]);
});

it.each([0, 1, 2, 3, 4, 5, 6])(
  "tells of it although the timer came early and time went on after look %i at the clock",
  (looks) => {
    let now = 0;
    let left = Number.POSITIVE_INFINITY;
    const timers: (() => void)[] = [];
    const clock: Clock = {
      now: () => (left-- > 0 ? now : now + 1),
      after(_delayMs, run) {
        timers.push(run);
        return () => {};
      },
    };
    const { trip, listen, changes } = setup({ clock });
    listen();
    trip();
    now = 9_999;
    left = looks;
    timers.pop()?.();
    now = 10_001;
    timers.pop()?.();
    expect(changes.map(({ to }) => to)).toEqual(["open", "half-open"]);
  },
);

it("sets no timer for a change nobody listens for, and leaves none behind", async () => {
  const { clock, breaker, trip, listen } = setup();
  trip();
  expect(clock.timers).toBe(0);
  const cancel = listen();
  expect(clock.timers).toBe(1);
  cancel();
  await breaker.close();
  await breaker.close();
  expect(clock.timers).toBe(0);
});

describe("run", () => {
  it("passes on results and failures, and refuses while open without calling", async () => {
    const { breaker } = setup();
    await expect(breaker.run(async () => 42)).resolves.toBe(42);
    for (let n = 0; n < 5; n++) await expect(breaker.run(down)).rejects.toThrow("down");
    let isCalled = false;
    const refused: unknown = await breaker
      .run(async () => {
        isCalled = true;
      })
      .catch((error: unknown) => error);
    expect(isCalled).toBe(false);
    expect(isBreakerOpen(refused)).toBe(true);
    expect(refused).toMatchObject({ breaker: "payments", retryAfterMs: 10_000 });
    expect(readFailure(refused, { now: 0 })).toMatchObject({ kind: "transient", retryAfterMs: 10_000 });
  });

  it("does not count failures that are the request's own fault", async () => {
    const { breaker } = setup();
    const refuse = () => Promise.reject(Object.assign(new Error("bad"), { status: 400 }));
    for (let n = 0; n < 50; n++) await breaker.run(refuse).catch(() => {});
    expect(breaker.phase).toBe("closed");
  });

  it("counts a call that throws before it returns a promise", async () => {
    const { breaker } = setup();
    const explode = (): Promise<void> => {
      throw new Error("at once");
    };
    for (let n = 0; n < 5; n++) await expect(breaker.run(explode)).rejects.toThrow("at once");
    expect(breaker.phase).toBe("open");
  });
});

it("counts by rate, with the time, when it is told to", async () => {
  const { clock, breaker, call } = setup({ rule: { kind: "rate", minimumCalls: 4, windowMs: 1_000 } });
  call("succeeded");
  call("succeeded");
  call("failed");
  await clock.advance(2_000);
  call("failed");
  expect(breaker.phase).toBe("closed");
  call("failed");
  call("failed");
  call("failed");
  expect(breaker.phase).toBe("open");
});

it("is held open by hand until it is released", async () => {
  const { clock, breaker } = setup();
  breaker.forceOpen("maintenance");
  await clock.advance(1e7);
  expect(breaker.phase).toBe("open");
  breaker.release();
  expect(breaker.phase).toBe("half-open");
  expect(breaker.snapshot().transitions[0]?.because).toBe("maintenance");
});

it.each<[string, object]>([
  ["`breaker.pollMs` must be a number, between 10 and", { pollMs: 0 }],
  ["`breaker.name` must be a name", { name: "" }],
  ["`breaker.recoveryMs` must be a number", { recoveryMs: -1 }],
  ["Did you mean `breaker.successesToClose`?", { succesesToClose: 2 }],
])("refuses options out of range: %s", (sentence, options) => {
  expect(() => createBreaker(options)).toThrow(sentence);
});
