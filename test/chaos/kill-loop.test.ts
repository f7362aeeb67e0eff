import { expect, it } from "vitest";
import { describeServer } from "../servers/describe-server.ts";
import { brokers } from "./brokers.ts";
import { type ChaosReport, runChaos } from "./run-chaos.ts";

/** A tenth of what `npm run chaos -- --kills 200` does; docs/reference/chaos.md has the last figures of all of it. */
describeServer("consumers killed at random on PostgreSQL", brokers.postgres.missing, () => {
  it("lose nothing and, with an inbox, pay nothing twice", async () => {
    const report = await runChaos({ ...plan("20 kills"), inbox: true, kills: 20, stops: 2, serverKills: 3 });
    expect(report.killed).toBe(20);
    expectNoHarm(report);
  });

  it("lose nothing without an inbox", async () => {
    const report = await runChaos({ ...plan("10 kills"), inbox: false, kills: 10, stops: 1, serverKills: 1 });
    expect(report.killed).toBe(10);
    expectNoHarm(report);
  });
});

function plan(seed: string) {
  return { broker: "postgres", seed } as const;
}

function expectNoHarm(report: ChaosReport): void {
  const { lost, unexpected, unsettled, effectiveDuplicates, ownEnds } = report;
  expect({ lost, unexpected, unsettled, effectiveDuplicates, ownEnds }).toEqual({
    lost: [],
    unexpected: [],
    unsettled: [],
    effectiveDuplicates: [],
    ownEnds: [],
  });
  expect(report.accepted).toBeGreaterThan(100);
  // Kills that meet nobody at work prove nothing.
  expect(report.handlersCut).toBeGreaterThan(report.killed);
}
