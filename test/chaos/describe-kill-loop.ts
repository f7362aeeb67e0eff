import { expect, it } from "vitest";
import { describeServer } from "../servers/describe-server.ts";
import { type BrokerName, brokers } from "./brokers.ts";
import { type ChaosReport, runChaos } from "./run-chaos.ts";

/** A tenth of what is run on demand; docs/explanation/kill-loop.md has the last figures of all of it. */
export function describeKillLoop(broker: BrokerName): void {
  describeServer(`consumers killed at random on ${brokers[broker].label}`, brokers[broker].missing, () => {
    it("lose nothing and, with an inbox, pay nothing twice", async () => {
      const report = await runChaos({ ...plan(broker, 30), inbox: true, serverKills: 3 });
      expect(report.killed).toBe(30);
      expectNoHarm(report);
    });

    it("lose nothing without an inbox", async () => {
      const report = await runChaos({ ...plan(broker, 10), inbox: false, serverKills: 1 });
      expect(report.killed).toBe(10);
      expectNoHarm(report);
    });
  });
}

function plan(broker: BrokerName, kills: number) {
  return { broker, seed: `${kills} kills`, kills, stops: kills / 10 };
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
  // Kills that meet nobody at work prove nothing. Where suspects are many, one handler at a time is all there is to meet.
  expect(report.handlersCut).toBeGreaterThan(report.killed / 4);
}
