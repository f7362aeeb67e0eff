import type { FaultKind } from "./faults.ts";
import { isFailure, type SeedReport } from "./run-seed.ts";

/** Many seeds, added up. */
export interface Summary {
  readonly seeds: number;
  readonly messages: number;
  readonly faults: number;
  readonly faultsByKind: Readonly<Partial<Record<FaultKind, number>>>;
  readonly lost: number;
  readonly unexpected: number;
  readonly effectiveDuplicates: number;
  readonly rawDuplicates: number;
  /** Virtual hours lived through. */
  readonly virtualHours: number;
  readonly steps: number;
  readonly failures: readonly SeedReport[];
}

export const emptySummary: Summary = {
  seeds: 0,
  messages: 0,
  faults: 0,
  faultsByKind: {},
  lost: 0,
  unexpected: 0,
  effectiveDuplicates: 0,
  rawDuplicates: 0,
  virtualHours: 0,
  steps: 0,
  failures: [],
};

export function addSeed(sum: Summary, report: SeedReport): Summary {
  const faults = Object.entries(report.faults) as [FaultKind, number][];
  const faultsByKind = { ...sum.faultsByKind };
  for (const [kind, count] of faults) faultsByKind[kind] = (faultsByKind[kind] ?? 0) + count;
  return {
    seeds: sum.seeds + 1,
    messages: sum.messages + report.messages,
    faults: sum.faults + faults.reduce((total, [, count]) => total + count, 0),
    faultsByKind,
    lost: sum.lost + report.lost.length,
    unexpected: sum.unexpected + report.unexpected.length,
    effectiveDuplicates: sum.effectiveDuplicates + report.effectiveDuplicates.length,
    rawDuplicates: sum.rawDuplicates + report.rawDuplicates,
    virtualHours: sum.virtualHours + report.lastedMs / 3_600_000,
    steps: sum.steps + report.steps,
    failures: isFailure(report) ? [...sum.failures, report] : sum.failures,
  };
}

/** What the oracle has to say against a run, a line each. */
export function complaints({ lost, unexpected, effectiveDuplicates, broken }: SeedReport): readonly string[] {
  return [
    ...lost.map((id) => `lost: ${id}`),
    ...unexpected.map((what) => `unexpected: ${what}`),
    ...effectiveDuplicates.map((what) => `effective duplicate: ${what}`),
    ...broken,
  ];
}
