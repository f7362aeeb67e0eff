import { type OutageResult, simulateOutage } from "../../src/simulate/outage.ts";
import { breakers, budgets, type OutagePolicyName, outagePolicies } from "../../src/simulate/outage-policies.ts";
import { runToEnd } from "../../src/simulate/steps.ts";
import { CommandLine } from "../ui/command-line.tsx";
import { Plot } from "../ui/plot.tsx";
import { readField, type ScenarioField, ScenarioForm, type ScenarioValues, useSimulation } from "./scenario.tsx";

const names = Object.keys(outagePolicies);

const fields = {
  one: { name: "policy", label: "Policy", otherwise: "fixed", of: names },
  other: { name: "other", label: "Compared with", otherwise: "breaker", of: names },
  rate: { name: "rate", label: "Requests a second", otherwise: "280" },
  capacity: { name: "capacity", label: "Capacity a second", otherwise: "300" },
  outageS: { name: "outage", label: "Outage, seconds", otherwise: "10" },
  horizonS: { name: "horizon", label: "Watch, seconds", otherwise: "120" },
  seed: { name: "seed", label: "Seed", otherwise: "1" },
} satisfies Readonly<Record<string, ScenarioField>>;

interface Scenario {
  readonly rate: number;
  readonly capacity: number;
  readonly outageS: number;
  readonly horizonS: number;
  readonly seed: number;
}

/** A short outage, and whether the service comes back afterwards or its callers keep it down. */
export function OutageSimulation({ values }: { readonly values: ScenarioValues }) {
  const number = (field: ScenarioField) => Number(readField(field, values));
  const scenario: Scenario = {
    ...{ rate: number(fields.rate), capacity: number(fields.capacity), outageS: number(fields.outageS) },
    ...{ horizonS: number(fields.horizonS), seed: number(fields.seed) },
  };
  const chosen = [...new Set([readField(fields.one, values), readField(fields.other, values)])] as OutagePolicyName[];
  const found = useSimulation(JSON.stringify([chosen, scenario]), () =>
    chosen.map((policy) => ({ policy, ...simulated(policy, scenario) })),
  );
  const { rate, capacity, outageS, horizonS, seed } = scenario;
  return (
    <>
      <ScenarioForm fields={Object.values(fields)} values={values} />
      <CommandLine
        command={`dlo simulate outage --policy ${chosen[0]} --rate ${rate} --capacity ${capacity} --outage ${outageS}s --horizon ${horizonS}s --seed ${seed}`}
      />
      {found === null ? <p role="status">Simulating…</p> : null}
      {found !== null && "refused" in found ? <p role="alert">{found.refused}</p> : null}
      {found !== null && "result" in found ? <Findings runs={found.result} scenario={scenario} /> : null}
    </>
  );
}

function simulated(name: OutagePolicyName, { rate, capacity, outageS, horizonS, seed }: Scenario): OutageResult {
  const { attempts, jitter, queueMs, budget, breaker } = outagePolicies[name];
  return runToEnd(
    simulateOutage({
      ...{ rate, capacity, seed, attempts, jitter, queueMs, timeoutMs: 1_000, retryWaitMs: 1_000 },
      ...{ outageMs: outageS * 1_000, horizonMs: horizonS * 1_000 },
      ...{ budget: budgets[budget], breaker: breakers[breaker] },
    }),
  );
}

type Run = OutageResult & { readonly policy: OutagePolicyName };

function Findings({ runs, scenario }: { readonly runs: readonly Run[]; readonly scenario: Scenario }) {
  const x = runs[0]?.series.map(({ atS }) => atS) ?? [];
  const limit = { name: "capacity", isLimit: true, values: x.map(() => scenario.capacity) };
  return (
    <>
      <div className="findings" role="status">
        <ul>
          {runs.map((run) => (
            <li key={run.policy}>
              <b>{run.policy}</b> ({outagePolicies[run.policy].about}): {sentence(run)}
            </li>
          ))}
        </ul>
      </div>
      <Plot
        title="Answered while somebody still waited, a second"
        along="seconds since the outage began"
        x={x}
        lines={[
          ...runs.map(({ policy, series }) => ({ name: policy, values: series.map((each) => each.goodput) })),
          limit,
        ]}
      />
      <Plot
        title="Calls that reached the service, a second"
        along="seconds since the outage began"
        x={x}
        lines={[
          ...runs.map(({ policy, series }) => ({ name: policy, values: series.map((each) => each.offered) })),
          limit,
        ]}
      />
    </>
  );
}

function sentence({ recoveredAfterS, series }: Run): string {
  const most = Math.max(...series.map(({ offered }) => offered));
  const load = `at most ${most} calls reach the service in a second.`;
  if (recoveredAfterS === null) return `does not come back within what was watched; ${load}`;
  return `is back ${Math.round(recoveredAfterS)} s after the outage ends; ${load}`;
}
