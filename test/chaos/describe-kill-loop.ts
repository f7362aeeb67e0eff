import { expect, it } from "vitest";
import { describeServer } from "../servers/describe-server.ts";
import { type BrokerName, brokers } from "./brokers.ts";
import { type ChaosReport, runChaos } from "./run-chaos.ts";

interface KillLoopTests {
  readonly kills: number;
  /** Also without an inbox: what the broker does then is the same everywhere. */
  readonly withoutInbox?: true;
}

/** A tenth of what is run on demand; docs/explanation/kill-loop.md has the last figures of all of it. */
export function describeKillLoop(broker: BrokerName, { kills, withoutInbox }: KillLoopTests): void {
  describeServer(`consumers killed at random on ${brokers[broker].label}`, brokers[broker].missing, () => {
    it("lose nothing and, with an inbox, pay nothing twice", async () => {
      const report = await runChaos({ ...plan(broker, kills), inbox: true, serverKills: 3 });
      expect(report.killed).toBe(kills);
      expectNoHarm(report);
    });

    if (!withoutInbox) return;
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
  // Kills that meet nobody at work prove nothing. How many do is the machine's affair: on a busy one most come too early.
  expect(report.handlersCut).toBeGreaterThan(0);
}
