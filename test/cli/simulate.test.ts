import { describe, expect, it } from "vitest";
import type { ContentionResult } from "../../src/simulate/contention.ts";
import type { OutageResult } from "../../src/simulate/outage.ts";
import { terminal } from "./terminal.ts";

async function json(line: string): Promise<unknown> {
  const { code, stdout } = await terminal([...line.split(" "), "--json"]);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

/** Published by the AWS experiment: mean completion in milliseconds, and calls, for 50, 100 and 190 clients. */
const published = {
  none: [
    [1_145, 690],
    [2_028, 2_421],
    [3_537, 8_004],
  ],
  exponential: [
    [36_472, 623],
    [63_314, 1_850],
    [101_413, 5_169],
  ],
  equal: [
    [4_249, 347],
    [6_617, 813],
    [9_407, 1_760],
  ],
  full: [
    [2_882, 332],
    [4_893, 796],
    [7_472, 1_770],
  ],
  decorrelated: [
    [2_190, 375],
    [4_630, 1_002],
    [7_909, 2_433],
  ],
} as const;

const tolerance = 0.05;

describe("dlo simulate contention", () => {
  it("reproduces every cell of the published table within 5 % at 1,000 trials", async () => {
    const results = (await json("simulate contention --trials 1000")) as ContentionResult[];
    const expected = Object.entries(published).flatMap(([strategy, cells]) =>
      cells.map(([ms, calls], index) => ({ strategy, clients: [50, 100, 190][index], ms, calls })),
    );
    expect(results.map(({ strategy, clients }) => ({ strategy, clients }))).toEqual(
      expected.map(({ strategy, clients }) => ({ strategy, clients })),
    );
    const missed = results.filter(({ meanMs, meanCalls }, index) => {
      const { ms = 0, calls = 0 } = expected[index] ?? {};
      return Math.abs(meanMs / ms - 1) > tolerance || Math.abs(meanCalls / calls - 1) > tolerance;
    });
    expect(missed).toEqual([]);
  });

  it("gives a list of exactly the documented fields", async () => {
    expect(await json("simulate contention --strategy full --clients 3 --trials 2 --seed 9")).toEqual([
      {
        strategy: "full",
        clients: 3,
        trials: 2,
        seed: 9,
        meanMs: expect.any(Number) as number,
        meanCalls: expect.any(Number) as number,
      },
    ]);
  });

  it("prints the same for the same seed, and for a cell alone what it prints for it among others", async () => {
    const line = "simulate contention --clients 20,40 --trials 10 --seed 7";
    const all = (await json(line)) as ContentionResult[];
    expect(await json(line)).toEqual(all);
    expect(await json(`${line} --clients 40 --strategy equal`)).toEqual(
      all.filter(({ clients, strategy }) => clients === 40 && strategy === "equal"),
    );
  });
});

type NamedResult = OutageResult & { readonly policy: string };

describe("dlo simulate outage", () => {
  it("shows which policies let a service recover, and how fast", async () => {
    const results = (await json("simulate outage --policy all")) as NamedResult[];
    const after = Object.fromEntries(results.map(({ policy, recoveredAfterS }) => [policy, recoveredAfterS]));
    expect(after).toMatchObject({ fixed: null, "full-jitter": null, "finagle-budget": null });
    expect(after["grpc-throttle"]).toBeGreaterThan(110);
    expect(after["grpc-throttle"]).toBeLessThan(140);
    expect(after.breaker).toBeGreaterThan(20);
    expect(after.breaker).toBeLessThan(30);
    expect(after["bounded-queue"]).toBeLessThanOrEqual(2);
  });

  it("gives one object of exactly the documented fields for one policy", async () => {
    const result = (await json("simulate outage --policy fixed")) as NamedResult;
    expect(Object.keys(result)).toEqual(["policy", "recovered", "recoveredAfterS", "series"]);
    expect(result).toMatchObject({ policy: "fixed", recovered: false, recoveredAfterS: null });
    expect(result.series.at(-1)).toEqual({ atS: 299, offered: 560, goodput: 0 });
  });

  it("combines a policy with a budget and a breaker", async () => {
    const budget = (await json("simulate outage --budget grpc")) as NamedResult;
    expect(budget.recoveredAfterS).toBeGreaterThan(110);
    const breaker = (await json("simulate outage --policy full-jitter --breaker rate")) as NamedResult;
    expect(breaker.recoveredAfterS).toBeLessThan(30);
    const both = (await json("simulate outage --budget 2%+2 --breaker hystrix")) as NamedResult;
    expect(both.recovered).toBe(true);
  });

  it("refuses to stop looking when the outage ends", async () => {
    const { code, stderr } = await terminal(["simulate", "outage", "--outage", "60s", "--horizon", "1m"]);
    expect(code).toBe(2);
    expect(stderr).toContain("`--horizon` must be at least 30 s longer than `--outage`, which is 1 min.");
  });

  it("draws offered load, goodput, the capacity and the outage", async () => {
    const { stdout } = await terminal(["simulate", "outage"]);
    for (const word of ["offered", "goodput", "capacity", "outage", "560/s"]) expect(stdout).toContain(word);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe("dlo simulate retry", () => {
  it("prints the waits, the load and what to mind", async () => {
    const line = "simulate retry --attempts 5 --base 1s --cap 60s --jitter full";
    const { stdout } = await terminal(line.split(" "));
    expect(stdout).toMatch(/^ +4 +0ms +4s +8s +0ms +7.5s +15s$/m);
    expect(stdout).toContain("The cap of 1 min is never reached with 5 attempts");
    expect(stdout).toContain("No herd");
  });

  it("warns of a herd where nothing is left to chance", async () => {
    const { findings } = (await json("simulate retry --jitter none")) as { findings: string[] };
    expect(findings).toContain(
      "Herd: messages that failed together call again together: 1,000 calls of 1,000 messages within 100 ms, " +
        "1 s after the failure. Full jitter spreads them.",
    );
  });

  it.each(["immediate", "fixed", "linear", "exponential", "staged", "progressive"])(
    "knows the strategy %s",
    async (strategy) => {
      const { code, stdout } = await terminal(["simulate", "retry", "--strategy", strategy]);
      expect(code).toBe(0);
      expect(stdout).toContain("AFTER ATTEMPT");
    },
  );

  it.each([
    ["--base 5m --cap 1m", "`--cap` must be at least `--base`, which is 5 min."],
    ["--strategy immediate --base 1s", "`--base` means nothing to `--strategy immediate`."],
    ["--strategy fixed --jitter decorrelated", "`--jitter decorrelated` goes with `--strategy exponential` alone."],
    ["--attempts 1", "`--attempts` must be a whole number, between 2 and 100. It is 1."],
  ])("refuses %s", async (flags, message) => {
    const { code, stderr } = await terminal(["simulate", "retry", ...flags.split(" ")]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("dlo simulate capacity", () => {
  it("gives the handlers and consumers that a queue and its backlog call for", async () => {
    const line = "simulate capacity --arrivals 120 --handling 250ms --backlog 24000 --within 10m --per-consumer 10";
    expect(await json(line)).toEqual([{ clearWithinMs: 600_000, concurrency: 40, consumers: 4 }]);
  });
});
