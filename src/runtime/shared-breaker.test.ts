import fc from "fast-check";
import { expect, it } from "vitest";
import { pause } from "../domain/clock.ts";
import { memorySharedState } from "../stores/memory-shared-state.ts";
import type { SharedState } from "../stores/shared-state.ts";
import { type FakeClock, fakeClock } from "../testing/fake-clock.ts";
import { type Breaker, type BreakerOptions, createBreaker } from "./breaker.ts";

/** One instance's link to the store, which can be cut or left hanging. */
interface Link extends SharedState {
  trouble: "none" | "away" | "silent";
}

function linkTo(store: SharedState): Link {
  const through = <T>(work: () => Promise<T>): Promise<T> => {
    if (link.trouble === "away") return Promise.reject(new Error("connection refused"));
    return link.trouble === "silent" ? new Promise(() => {}) : work();
  };
  const link: Link = {
    trouble: "none",
    read: (name) => through(() => store.read(name)),
    replace: (name, version, value) => through(() => store.replace(name, version, value)),
  };
  return link;
}

interface Setup extends BreakerOptions {
  /** What stands in the store before anybody looks. */
  readonly found?: unknown;
}

async function setup(instances: number, { found, ...options }: Setup = {}) {
  const clock = fakeClock();
  const memory = memorySharedState({ clock });
  if (found !== undefined) await memory.replace("payments", null, found);
  const links = Array.from({ length: instances }, () => linkTo(memory));
  const shape = { name: "payments", recoveryMs: 10_000, probeLeaseMs: 20_000, pollMs: 1_000, clock };
  const breakers = links.map((store) => createBreaker({ ...shape, ...options, store }));
  await clock.advance(0);
  const [first, second] = breakers as [Breaker, Breaker];
  const document = async () => (await memory.read("payments")).value;
  return { clock, breakers, first, second, links: links as [Link, Link], document };
}

function trip(breaker: Breaker): void {
  for (let n = 0; n < 5; n++) breaker.failed(breaker.admit());
}

const phases = (breakers: readonly Breaker[]) => breakers.map(({ phase }) => phase);
const admitted = (breakers: readonly Breaker[]) =>
  breakers.flatMap((breaker) => {
    const token = breaker.admit();
    return token === 0 ? [] : [{ breaker, token }];
  });

/** Lets every breaker ask for a probe, and the store hear of it. */
async function askForProbes(clock: FakeClock, breakers: readonly Breaker[]) {
  admitted(breakers);
  await clock.advance(1_000);
  return admitted(breakers);
}

it("opens for all when one of them opens: at once there, within a poll elsewhere", async () => {
  const { clock, breakers, first, second } = await setup(3);
  trip(first);
  expect(phases(breakers)).toEqual(["open", "closed", "closed"]);
  await clock.advance(1_000);
  expect(phases(breakers)).toEqual(["open", "open", "open"]);
  expect(second.admit()).toBe(0);
  expect(second.retryInMs()).toBeLessThanOrEqual(10_000);
});

it("makes one probe over all instances, and closes for all after two successes", async () => {
  const { clock, breakers, first } = await setup(5);
  trip(first);
  await clock.advance(10_000);
  expect(phases(breakers)).toEqual(Array(5).fill("half-open"));
  for (let success = 1; success <= 2; success++) {
    const probes = await askForProbes(clock, breakers);
    expect(probes).toHaveLength(1);
    for (const { breaker, token } of probes) breaker.succeeded(token);
    await clock.advance(0);
  }
  await clock.advance(1_000);
  expect(phases(breakers)).toEqual(Array(5).fill("closed"));
});

interface Step {
  readonly kind: string;
  readonly which: number;
  readonly afterMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("call", "call", "call", "succeed", "fail", "trip"),
  which: fc.nat({ max: 5 }),
  afterMs: fc.constantFrom(0, 10, 700, 3_000),
});

it("makes no more probes at once than allowed over all instances, and closes when all goes well", async () => {
  const scenario = async (steps: readonly Step[]) => {
    const { clock, breakers } = await setup(6, { probes: 2 });
    let underWay: { readonly breaker: Breaker; readonly token: number; readonly since: number }[] = [];
    for (const { kind, which, afterMs } of steps) {
      const breaker = breakers[which] as Breaker;
      const wasClosed = breaker.phase === "closed";
      if (kind === "trip") trip(breaker);
      if (kind === "call") {
        const token = breaker.admit();
        if (token !== 0 && !wasClosed) underWay.push({ breaker, token, since: clock.now() });
      }
      const ended = ["succeed", "fail"].includes(kind) ? underWay.shift() : undefined;
      if (kind === "succeed") ended?.breaker.succeeded(ended.token);
      if (kind === "fail") ended?.breaker.failed(ended.token);
      await clock.advance(afterMs);
      // A probe that hangs is given up when its lease is over; another may then be under way in its place.
      underWay = underWay.filter(({ since }) => since > clock.now() - 15_000);
      expect(underWay.length).toBeLessThanOrEqual(2);
    }
    for (let n = 0; n < 60; n++) {
      for (const { breaker, token } of admitted(breakers)) breaker.succeeded(token);
      await clock.advance(1_000);
    }
    expect(phases(breakers)).toEqual(Array(6).fill("closed"));
    for (const breaker of breakers) await breaker.close();
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), scenario), { numRuns: 40 });
});

it("opens again for all when a probe fails", async () => {
  const { clock, breakers, first } = await setup(3);
  trip(first);
  await clock.advance(10_000);
  const [probe] = await askForProbes(clock, breakers);
  probe?.breaker.failed(probe.token);
  expect(probe?.breaker.phase).toBe("open");
  await clock.advance(1_000);
  expect(phases(breakers)).toEqual(["open", "open", "open"]);
});

it("gives the probe of an instance that died to another once its lease is over", async () => {
  const { clock, breakers, first } = await setup(3);
  trip(first);
  await clock.advance(10_000);
  const [dead] = await askForProbes(clock, breakers);
  const others = breakers.filter((breaker) => breaker !== dead?.breaker);
  expect(await askForProbes(clock, others)).toEqual([]);
  await clock.advance(20_000);
  const [next] = await askForProbes(clock, others);
  expect(next).toBeDefined();
  dead?.breaker.failed(dead.token);
  expect(dead?.breaker.phase).toBe("half-open");
  await clock.advance(1_000);
  expect(next?.breaker.phase).toBe("half-open");
});

it("leases a probe ahead for whoever listens, and passes it on if no call takes it up", async () => {
  const { clock, first, second } = await setup(2);
  first.onChange(() => {});
  trip(first);
  await clock.advance(10_000);
  expect([first.limit, second.limit]).toEqual([1, 0]);
  // An idle process must not sit on the only probe while the other has calls to make.
  let isServed = false;
  for (let poll = 0; poll < 10 && !isServed; poll++) {
    isServed = second.admit() !== 0;
    await clock.advance(1_000);
  }
  expect(isServed).toBe(true);
});

it("does not take a probe leased in one half-open phase for one of the next", async () => {
  const { clock, first, second } = await setup(2);
  first.onChange(() => {});
  trip(first);
  await clock.advance(10_000);
  expect(first.limit).toBe(1);
  second.forceOpen();
  await clock.advance(0);
  second.release();
  expect(await askForProbes(clock, [second])).toHaveLength(1);
  expect([first.limit, first.admit()]).toEqual([0, 0]);
});

it("tells listeners when a probe may be made and when it is over", async () => {
  const { clock, first } = await setup(1, { successesToClose: 1 });
  const seen: string[] = [];
  first.onChange(({ from, to }) => seen.push(`${from} > ${to}, limit ${first.limit}`));
  trip(first);
  await clock.advance(11_000);
  first.succeeded(first.admit());
  await clock.advance(1_000);
  expect(seen).toEqual([
    "closed > open, limit 0",
    "open > half-open, limit 0",
    "half-open > half-open, limit 1",
    "half-open > half-open, limit 0",
    "half-open > closed, limit Infinity",
  ]);
});

it("holds open by hand, and releases, for all", async () => {
  const { clock, breakers, first, second } = await setup(2);
  first.forceOpen("maintenance");
  await clock.advance(1_000);
  expect(phases(breakers)).toEqual(["open", "open"]);
  await clock.advance(60_000);
  expect(phases(breakers)).toEqual(["open", "open"]);
  second.release();
  await clock.advance(1_000);
  expect(phases(breakers)).toEqual(["half-open", "half-open"]);
});

it("does not let failures open it that were counted before others had it closed again", async () => {
  const { clock, breakers, first, second } = await setup(2, { successesToClose: 1, pollMs: 60_000 });
  second.onChange(() => {});
  trip(second);
  await clock.advance(10_000);
  second.succeeded(second.admit());
  await clock.advance(0);
  expect(phases(breakers)).toEqual(["closed", "closed"]);
  trip(first);
  expect(first.phase).toBe("open");
  await clock.advance(0);
  expect(phases(breakers)).toEqual(["closed", "closed"]);
  trip(first);
  await clock.advance(60_000);
  expect(phases(breakers)).not.toContain("closed");
});

it.each(["away", "silent"] as const)("goes on by itself while the store is %s, and joins in again", async (trouble) => {
  const { clock, breakers, first, second, links } = await setup(2);
  links[0].trouble = trouble;
  await clock.advance(7_000);
  trip(first);
  await clock.advance(10_000);
  expect(phases(breakers)).toEqual(["half-open", "closed"]);
  first.succeeded(first.admit());
  first.succeeded(first.admit());
  expect(first.phase).toBe("closed");

  // Its opening is old by now: the others are not to hear of it.
  links[0].trouble = "none";
  await clock.advance(10_000);
  expect(phases(breakers)).toEqual(["closed", "closed"]);
  trip(second);
  await clock.advance(1_000);
  expect(phases(breakers)).toEqual(["open", "open"]);
});

it("does as the others do once it sees the store again, though it went its own way meanwhile", async () => {
  const { clock, breakers, first, links } = await setup(2);
  trip(first);
  await clock.advance(10_000);
  links[0].trouble = "away";
  await clock.advance(1_000);
  first.succeeded(first.admit());
  first.succeeded(first.admit());
  expect(phases(breakers)).toEqual(["closed", "half-open"]);
  links[0].trouble = "none";
  await clock.advance(1_000);
  expect(phases(breakers)).toEqual(["half-open", "half-open"]);
});

it.each([["text"], [{ phase: "ajar" }], [{ phase: "open", since: "now" }], [null], [[]]])(
  "begins anew over a document that is none of ours: %j",
  async (found) => {
    const { clock, breakers, first, document } = await setup(2, { found });
    expect(phases(breakers)).toEqual(["closed", "closed"]);
    trip(first);
    await clock.advance(1_000);
    expect(await document()).toMatchObject({ phase: "open" });
  },
);

it("does as the others do if it has recovered before the store could hear that it opened", async () => {
  const { clock, first, links } = await setup(1, { recoveryMs: 1_000 });
  const [{ read }] = links;
  links[0].read = (name) => pause(clock, 2_000).then(() => read(name));
  trip(first);
  await clock.advance(1_500);
  expect(first.phase).toBe("half-open");
  await clock.advance(500);
  expect(first.phase).toBe("closed");
  expect(first.admit()).not.toBe(0);
});

it("keeps history and counters of all instances in the document, as plain JSON", async () => {
  const { clock, first, second, document } = await setup(2, { recoveryMs: 60_000 });
  for (let n = 0; n < 3; n++) second.succeeded(second.admit());
  trip(first);
  await clock.advance(1_000);
  second.admit();
  await clock.advance(20_000);
  expect(await document()).toMatchObject({
    phase: "open",
    transitions: [{ from: "closed", to: "open", because: "5 failures in a row" }],
    counters: { succeeded: 3, failed: 5, denied: 1, opened: 1 },
  });
});

it("gives its tickets back when it is closed, and leaves no timer behind", async () => {
  const { clock, breakers, first, second } = await setup(2);
  first.onChange(() => {});
  trip(first);
  await clock.advance(10_000);
  expect(first.limit).toBe(1);
  await first.close();
  await first.close();
  expect(await askForProbes(clock, [second])).toHaveLength(1);
  for (const breaker of breakers) await breaker.close();
  expect(clock.timers).toBe(0);
});
