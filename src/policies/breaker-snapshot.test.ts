import { describe, expect, it } from "vitest";
import { readSnapshot } from "./breaker-snapshot.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";

function written(): Readonly<Record<string, unknown>> {
  const circuit = new CircuitBreaker({ recoveryMs: 10 });
  circuit.open(1_000, "5 failures in a row");
  circuit.admit(1_010);
  return JSON.parse(JSON.stringify(circuit.snapshot())) as Record<string, unknown>;
}

describe("a breaker's state in a store", () => {
  it("is read as it was written, in each phase", () => {
    expect(readSnapshot(written())).toMatchObject({ phase: "half-open", probes: [{}], transitions: [{}, {}] });
    expect(readSnapshot(JSON.parse(JSON.stringify(new CircuitBreaker().snapshot())))).toMatchObject({
      phase: "closed",
    });
    const held = new CircuitBreaker();
    held.forceOpen(1_000);
    expect(readSnapshot(held.snapshot())).toMatchObject({ phase: "open", openUntil: null });
  });

  it.each([
    ["a change that is none", { transitions: [null] }],
    ["a change without a reason", { transitions: [{ from: "closed", to: "open", at: 1 }] }],
    ["a change at no time there is", { transitions: [{ from: "closed", to: "open", at: 1e300, because: "" }] }],
    ["a time that no date can be", { since: 8.65e15 }],
    ["an end that no date can be", { openUntil: 8.65e15 }],
    ["a probe that is none", { probes: [null] }],
    ["counters that lack one", { counters: { succeeded: 1, failed: 1, denied: 1 } }],
    ["counters that are text", { counters: "" }],
    ["an unknown phase", { phase: "ajar" }],
  ])("is none of ours with %s", (_what, change) => {
    expect(readSnapshot({ ...written(), ...change })).toBeUndefined();
  });

  it.each([null, undefined, 1, "open", []])("is none of ours where it is %j", (value) => {
    expect(readSnapshot(value)).toBeUndefined();
  });
});
