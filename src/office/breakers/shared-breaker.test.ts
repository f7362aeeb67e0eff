import { describe, expect, it } from "vitest";
import type { ReportedBreaker } from "../../ledger/list-breakers.ts";
import { CircuitBreaker } from "../../policies/circuit-breaker.ts";
import { memorySharedState } from "../../stores/memory-shared-state.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { lookForShared, requireOne } from "./shared-breaker.ts";

const name = "payments-api";

/** Sources whose consumers report the breaker: with its state open for ten minutes, without it, or away. */
async function world(sources: Readonly<Record<string, "open" | "none" | "away">>) {
  const clock = fakeClock();
  const circuit = new CircuitBreaker();
  circuit.openUntil(clock.now() + 600_000, clock.now(), "by hand, ana");
  const states = new Map(Object.keys(sources).map((source) => [source, memorySharedState({ clock })]));
  for (const [source, state] of states)
    if (sources[source] === "open") await state.replace(name, null, circuit.snapshot());
  const sharedBy = async (source: string) => {
    if (sources[source] === "away") throw new Error("connect ECONNREFUSED");
    return states.get(source) ?? null;
  };
  const since = new Date(clock.now()).toISOString();
  const reported = Object.keys(sources).map<ReportedBreaker>((source) => ({
    ...{ name, source, queue: "orders", service: "billing", state: "closed", since, heardAt: since },
    ...{ saying: 1, processes: 1 },
  }));
  const look = (store: string | null = null) => lookForShared(sharedBy, { name, store }, reported);
  return { clock, look };
}

describe("the shared state of a breaker", () => {
  it("is that of the one source that has it", async () => {
    const { look } = await world({ eu: "none", us: "open" });
    expect(requireOne(await look())).toMatchObject({ store: "us", snapshot: { phase: "open" } });
  });

  it("is not chosen where two sources have one of that name, unless one is named", async () => {
    const { look } = await world({ eu: "open", us: "open" });
    const both = await look();
    expect(() => requireOne(both)).toThrow(/eu and us each have a breaker payments-api.*--store eu/);
    expect(requireOne(await look("us")).store).toBe("us");
  });

  it("is found though another source does not answer, and not steered before one is named", async () => {
    const { look } = await world({ eu: "away", us: "open" });
    const found = await look();
    expect(found.held.map(({ store }) => store)).toEqual(["us"]);
    expect(() => requireOne(found)).toThrow(/eu may have.*does not answer: connect ECONNREFUSED.*--store/);
    expect(requireOne(await look("us")).store).toBe("us");
  });

  it("stands as the time is, though no consumer has looked since its opening was over", async () => {
    const { clock, look } = await world({ us: "open" });
    await clock.advance(600_000);
    expect(requireOne(await look()).snapshot).toMatchObject({ phase: "half-open", openUntil: null });
  });
});
