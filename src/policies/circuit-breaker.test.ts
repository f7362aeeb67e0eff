import { ConsecutiveBreaker } from "cockatiel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BreakerSnapshot, CircuitBreaker, type CircuitBreakerOptions } from "./circuit-breaker.ts";

const start = Date.UTC(2026, 0, 1);

function breaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  return new CircuitBreaker({ recoveryMs: 1_000, probeLeaseMs: 5_000, ...options });
}

/** One call: let through, then ended as said. */
function call(circuit: CircuitBreaker, result: "succeeded" | "failed", now: number): boolean {
  const token = circuit.admit(now);
  if (token !== 0) circuit[result](token, now);
  return token !== 0;
}

function opened(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const circuit = breaker(options);
  for (let n = 0; n < 5; n++) call(circuit, "failed", start);
  return circuit;
}

describe("by failures in a row", () => {
  it("opens at the fifth, by default, and a success in between begins the count anew", () => {
    const circuit = breaker();
    for (let n = 0; n < 4; n++) call(circuit, "failed", start);
    call(circuit, "succeeded", start);
    for (let n = 0; n < 4; n++) call(circuit, "failed", start);
    expect(circuit.phase).toBe("closed");
    call(circuit, "failed", start);
    expect(circuit.phase).toBe("open");
    expect(circuit.admit(start)).toBe(0);
  });

  it("opens when cockatiel's rule does", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(fc.boolean(), { maxLength: 60 }), (failures, results) => {
        const ours = breaker({ rule: { kind: "consecutive", failures } });
        const theirs = new ConsecutiveBreaker(failures);
        for (const isSuccess of results) {
          call(ours, isSuccess ? "succeeded" : "failed", start);
          if (isSuccess) theirs.success();
          const opens = !isSuccess && theirs.failure();
          expect(ours.phase === "open").toBe(opens);
          if (opens) return;
        }
      }),
    );
  });
});

describe("by the share of failures", () => {
  const rule = { kind: "rate", failureRate: 0.5, windowMs: 1_000, buckets: 10, minimumCalls: 10 } as const;

  it("opens at the share, not before the minimum of calls", () => {
    const circuit = breaker({ rule });
    for (let n = 0; n < 9; n++) call(circuit, "failed", start);
    expect(circuit.phase).toBe("closed");
    call(circuit, "failed", start);
    expect(circuit.phase).toBe("open");
    expect(circuit.snapshot().transitions.at(-1)?.because).toBe("10 of 10 calls failed within 1 s");
  });

  it("forgets what is older than the window", () => {
    const circuit = breaker({ rule });
    for (let n = 0; n < 9; n++) call(circuit, "failed", start);
    for (let n = 0; n < 9; n++) call(circuit, "succeeded", start + 1_000);
    call(circuit, "failed", start + 1_000);
    expect(circuit.phase).toBe("closed");
  });

  it("opens exactly when a plain recount of the calls in its buckets says so", () => {
    const step = fc.record({ isSuccess: fc.boolean(), afterMs: fc.integer({ min: 0, max: 400 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const circuit = breaker({ rule });
        const seen: { readonly bucket: number; readonly isSuccess: boolean }[] = [];
        let now = start;
        for (const { isSuccess, afterMs } of steps) {
          now += afterMs;
          const bucket = Math.floor(now / 100);
          seen.push({ bucket, isSuccess });
          call(circuit, isSuccess ? "succeeded" : "failed", now);
          const recent = seen.filter((past) => past.bucket > bucket - 10);
          const failures = recent.filter((past) => !past.isSuccess).length;
          const opens = !isSuccess && recent.length >= 10 && failures >= recent.length / 2;
          expect(circuit.phase).toBe(opens ? "open" : "closed");
          if (opens) return;
        }
      }),
    );
  });
});

describe("half-open", () => {
  it("lets one probe through after the recovery time, and closes after two successes", () => {
    const circuit = opened();
    expect(circuit.admit(start + 999)).toBe(0);
    const first = circuit.admit(start + 1_000);
    expect(first).toBeGreaterThan(0);
    expect(circuit.admit(start + 1_000)).toBe(0);
    circuit.succeeded(first, start + 1_100);
    expect(circuit.phase).toBe("half-open");
    call(circuit, "succeeded", start + 1_200);
    expect(circuit.phase).toBe("closed");
  });

  it("begins the count of failures anew when it closes", () => {
    const circuit = opened({ successesToClose: 1 });
    call(circuit, "succeeded", start + 1_000);
    for (let n = 0; n < 4; n++) call(circuit, "failed", start + 1_000);
    expect(circuit.phase).toBe("closed");
  });

  it("hears a probe once: told again, it does not count as a later call", () => {
    const circuit = opened({ successesToClose: 1 });
    const probe = circuit.admit(start + 1_000);
    circuit.succeeded(probe, start + 1_000);
    for (let n = 0; n < 5; n++) circuit.failed(probe, start + 1_001);
    expect(circuit.phase).toBe("closed");
  });

  it("opens again, for the whole recovery time, when one probe fails", () => {
    const circuit = opened({ probes: 3 });
    call(circuit, "succeeded", start + 1_000);
    call(circuit, "failed", start + 1_500);
    expect(circuit.phase).toBe("open");
    expect(circuit.admit(start + 2_499)).toBe(0);
    call(circuit, "succeeded", start + 2_500);
    expect(circuit.phase).toBe("half-open");
  });

  it("frees the place of a probe that says nothing, and then does not listen to it any more", () => {
    const circuit = opened();
    const hung = circuit.admit(start + 1_000);
    expect(circuit.admit(start + 5_999)).toBe(0);
    const next = circuit.admit(start + 6_000);
    expect(next).toBeGreaterThan(0);
    circuit.failed(hung, start + 6_001);
    expect(circuit.phase).toBe("half-open");
    circuit.succeeded(next, start + 6_002);
    circuit.succeeded(hung, start + 6_003);
    expect(circuit.phase).toBe("half-open");
  });

  it("does not count a probe whose lease ran out before it reported, though nobody took its place", () => {
    const circuit = opened({ successesToClose: 1 });
    const slow = circuit.admit(start + 1_000);
    circuit.succeeded(slow, start + 6_000);
    expect(circuit.phase).toBe("half-open");
  });

  it("gives the place of a withdrawn probe to the next, without a verdict", () => {
    const circuit = opened();
    const probe = circuit.admit(start + 1_000);
    circuit.withdrawn(probe, start + 1_001);
    expect(circuit.phase).toBe("half-open");
    expect(circuit.room(start + 1_001)).toBe(1);
  });
});

it("ignores results of calls from before the last change of phase", () => {
  const circuit = breaker({ successesToClose: 1, rule: { kind: "consecutive", failures: 1 } });
  const early = circuit.admit(start);
  const other = circuit.admit(start);
  circuit.failed(other, start);
  call(circuit, "succeeded", start + 1_000);
  expect(circuit.phase).toBe("closed");
  circuit.failed(early, start + 1_001);
  expect(circuit.phase).toBe("closed");
});

describe("by hand", () => {
  it("stays open until released, then lets a probe through at once", () => {
    const circuit = breaker();
    circuit.forceOpen(start, "maintenance");
    expect(circuit.admit(start + 1e9)).toBe(0);
    expect(circuit.retryInMs(start)).toBe(1_000);
    circuit.release(start + 1e9);
    expect(circuit.phase).toBe("half-open");
    expect(circuit.snapshot().transitions[0]).toMatchObject({ to: "open", because: "maintenance" });
  });

  it("stays open until the time it was given is over, and ends then by itself", () => {
    const circuit = new CircuitBreaker({ recoveryMs: 10 });
    circuit.openUntil(start + 5_000, start, "by hand");
    expect([circuit.admit(start + 4_999), circuit.snapshot().openUntil]).toEqual([0, start + 5_000]);
    expect(circuit.admit(start + 5_000)).not.toBe(0);
    expect(circuit.snapshot()).toMatchObject({ phase: "half-open", since: start + 5_000 });
  });

  it("lets a probe through before its time, and only while it is open", () => {
    const circuit = new CircuitBreaker();
    circuit.letProbe(start, "by hand");
    expect(circuit.phase).toBe("closed");
    circuit.open(start, "a test");
    circuit.letProbe(start + 1, "by hand");
    expect([circuit.phase, circuit.admit(start + 1) > 0, circuit.admit(start + 1)]).toEqual(["half-open", true, 0]);
  });

  it("releases nothing that was not held", () => {
    const circuit = opened();
    circuit.release(start + 1);
    expect(circuit.phase).toBe("open");
  });
});

it("says when it is worth another try", () => {
  const circuit = opened();
  expect(breaker().retryInMs(start)).toBe(0);
  expect(circuit.retryInMs(start + 400)).toBe(600);
  circuit.admit(start + 1_000);
  expect(circuit.retryInMs(start + 1_500)).toBe(4_500);
});

it("remembers the last twenty transitions and counts all calls", () => {
  const circuit = opened({ rule: { kind: "consecutive", failures: 5 } });
  for (let n = 1; n <= 30; n++) call(circuit, "failed", start + n * 1_000);
  circuit.admit(start + 30_001);
  const { transitions, counters } = circuit.snapshot();
  expect(transitions).toHaveLength(20);
  expect(transitions.at(-1)).toEqual({ from: "half-open", to: "open", at: start + 30_000, because: "a probe failed" });
  expect(counters).toEqual({ succeeded: 0, failed: 35, denied: 1, opened: 31 });
});

const command = fc.record({
  kind: fc.constantFrom("admit", "succeeded", "failed", "withdrawn", "forceOpen", "release", "restore"),
  which: fc.nat({ max: 50 }),
  afterMs: fc.constantFrom(0, 1, 300, 1_000, 5_000),
});

it("holds its promises under any sequence of calls, results, hands and restarts", () => {
  const options = { probes: 2, successesToClose: 2, rule: { kind: "consecutive", failures: 2 } } as const;
  fc.assert(
    fc.property(fc.array(command, { maxLength: 120 }), (commands) => {
      let circuit = breaker(options);
      const tokens = [0];
      let now = start;
      for (const { kind, which, afterMs } of commands) {
        now += afterMs;
        if (kind === "admit") tokens.push(circuit.admit(now));
        else if (kind === "restore") circuit = restored(circuit, options);
        else if (kind === "forceOpen" || kind === "release") circuit[kind](now);
        else circuit[kind](tokens[which % tokens.length] ?? 0, now);

        const { phase, probes, successes, transitions } = circuit.snapshot();
        expect(probes.length).toBeLessThanOrEqual(phase === "half-open" ? 2 : 0);
        expect(successes).toBeLessThan(2);
        expect(transitions.every(({ from, to }) => legal.has(`${from} ${to}`))).toBe(true);
      }
      // Nothing pins it: left alone for recovery and lease, it lets a call through, unless a hand holds it open.
      const isHeld = circuit.phase === "open" && circuit.snapshot().openUntil === null;
      expect(circuit.admit(now + 6_000) > 0).toBe(!isHeld);
    }),
    { numRuns: 500 },
  );
});

const legal = new Set(["closed open", "open open", "open half-open", "half-open open", "half-open closed"]);

function restored(circuit: CircuitBreaker, options: CircuitBreakerOptions): CircuitBreaker {
  const copy = breaker(options);
  copy.restore(JSON.parse(JSON.stringify(circuit.snapshot())) as BreakerSnapshot);
  expect(copy.snapshot()).toEqual(circuit.snapshot());
  return copy;
}

describe("options out of range", () => {
  it.each<[string, object]>([
    ["`breaker.recoveryMs` must be a number, between 1 and", { recoveryMs: 0 }],
    ["`breaker.probes` must be a whole number, between 1 and 1000. It is 1.5.", { probes: 1.5 }],
    ["`breaker.rule.failures` must be a whole number", { rule: { kind: "consecutive", failures: 0 } }],
    ["`breaker.rule.failureRate` must be a number, between 0.001 and 1", { rule: { kind: "rate", failureRate: 50 } }],
    [
      '`breaker.rule.kind` must be one of consecutive, rate. It is "ratio". Did you mean "rate"?',
      { rule: { kind: "ratio" } },
    ],
    ["Did you mean `breaker.recoveryMs`?", { recoverMs: 5 }],
  ])("are refused: %s", (sentence, given) => expect(() => new CircuitBreaker(given)).toThrow(sentence));
});
