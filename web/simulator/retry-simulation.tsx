import { simulateRetryWaits } from "../../src/simulate/retry-waits.ts";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount } from "../ui/counts.ts";
import { Plot } from "../ui/plot.tsx";
import { readField, type ScenarioField, ScenarioForm, type ScenarioValues, useSimulation } from "./scenario.tsx";

const fields = {
  attempts: { name: "attempts", label: "Attempts in all", otherwise: "5" },
  baseS: { name: "base", label: "First wait, seconds", otherwise: "1" },
  capS: { name: "cap", label: "Longest wait, seconds", otherwise: "60" },
  factor: { name: "factor", label: "Factor", otherwise: "2" },
  messages: { name: "messages", label: "Fail together", otherwise: "1000" },
  seed: { name: "seed", label: "Seed", otherwise: "1" },
} satisfies Readonly<Record<string, ScenarioField>>;

const jitters = ["none", "full", "equal", "decorrelated"] as const;
const buckets = 120;

/** When messages that failed together call again, with each kind of jitter. */
export function RetrySimulation({ values }: { readonly values: ScenarioValues }) {
  const read = (field: ScenarioField) => Number(readField(field, values));
  const scenario = {
    ...{ attempts: read(fields.attempts), baseS: read(fields.baseS), capS: read(fields.capS) },
    ...{ factor: read(fields.factor), messages: read(fields.messages), seed: read(fields.seed) },
  };
  const found = useSimulation(JSON.stringify(scenario), () => simulated(scenario));
  const { attempts, baseS, capS, factor, messages, seed } = scenario;
  return (
    <>
      <ScenarioForm fields={Object.values(fields)} values={values} />
      <CommandLine
        command={`dlo simulate retry --attempts ${attempts} --base ${baseS}s --cap ${capS}s --factor ${factor} --messages ${messages} --seed ${seed}`}
      />
      {found === null ? <p role="status">Simulating…</p> : null}
      {found !== null && "refused" in found ? <p role="alert">{found.refused}</p> : null}
      {found !== null && "result" in found ? <Findings {...found.result} /> : null}
    </>
  );
}

interface Scenario {
  readonly attempts: number;
  readonly baseS: number;
  readonly capS: number;
  readonly factor: number;
  readonly messages: number;
  readonly seed: number;
}

interface Found {
  readonly x: readonly number[];
  readonly runs: readonly { readonly jitter: string; readonly calls: readonly number[]; readonly most: number }[];
  readonly waits: readonly { readonly attempt: number; readonly waitMs: Spread; readonly sinceFirstMs: Spread }[];
}

interface Spread {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

function simulated({ attempts, baseS, capS, factor, messages, seed }: Scenario): Found {
  const results = jitters.map((jitter) =>
    simulateRetryWaits({
      policy: { strategy: "exponential", initialMs: baseS * 1_000, maxMs: capS * 1_000, factor, jitter },
      ...{ attempts, messages, seed },
    }),
  );
  const endMs = Math.max(1, ...results.map(({ callTimesMs }) => callTimesMs.at(-1) ?? 0));
  const sizeMs = endMs / buckets;
  const x = Array.from({ length: buckets }, (_, at) => Number(((at * sizeMs) / 1_000).toFixed(2)));
  const runs = results.map(({ callTimesMs }, at) => {
    const calls = x.map(() => 0);
    for (const time of callTimesMs) {
      const bucket = Math.min(buckets - 1, Math.floor(time / sizeMs));
      calls[bucket] = (calls[bucket] ?? 0) + 1;
    }
    return { jitter: jitters[at] ?? "", calls, most: Math.max(...calls) };
  });
  return { x, runs, waits: results[1]?.waits ?? [] };
}

function Findings({ x, runs, waits }: Found) {
  const span = waits.at(-1)?.sinceFirstMs;
  return (
    <>
      <p className="findings" role="status">
        With full jitter the last attempt comes {seconds(span?.mean ?? 0)} after the first failure on average,{" "}
        {seconds(span?.max ?? 0)} at most: an outage that lasts longer dead-letters what it meets. At the busiest moment{" "}
        {runs.map(({ jitter, most }) => `${showCount(most)} call together with jitter ${jitter}`).join(", ")}.
      </p>
      <Plot
        title="Calls that come together"
        along="seconds since the failure"
        x={x}
        lines={runs.map(({ jitter, calls }) => ({ name: `jitter ${jitter}`, values: calls }))}
      />
      <h2>Waits with full jitter</h2>
      <table className="rows">
        <caption className="unseen">Waits with full jitter</caption>
        <thead>
          <tr>
            <th scope="col" className="number">
              After attempt
            </th>
            <th scope="col" className="number">
              At least
            </th>
            <th scope="col" className="number">
              On average
            </th>
            <th scope="col" className="number">
              At most
            </th>
          </tr>
        </thead>
        <tbody>
          {waits.map(({ attempt, waitMs }) => (
            <tr key={attempt}>
              <th scope="row" className="number">
                {attempt}
              </th>
              <td className="number">{seconds(waitMs.min)}</td>
              <td className="number">{seconds(waitMs.mean)}</td>
              <td className="number">{seconds(waitMs.max)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
