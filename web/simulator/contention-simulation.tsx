import { contentionStrategies, simulateContention } from "../../src/simulate/contention.ts";
import { runToEnd } from "../../src/simulate/steps.ts";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount } from "../ui/counts.ts";
import { Plot } from "../ui/plot.tsx";
import { readField, type ScenarioField, ScenarioForm, type ScenarioValues, useSimulation } from "./scenario.tsx";

const fields = {
  clients: { name: "clients", label: "Clients, at most", otherwise: "100" },
  trials: { name: "trials", label: "Trials", otherwise: "20" },
  seed: { name: "seed", label: "Seed", otherwise: "1" },
} satisfies Readonly<Record<string, ScenarioField>>;

const places = 8;

/** Clients that all want to change one row: what jitter does to the work and the time it takes. */
export function ContentionSimulation({ values }: { readonly values: ScenarioValues }) {
  const [most, trials, seed] = [fields.clients, fields.trials, fields.seed].map((field) =>
    Number(readField(field, values)),
  );
  const scenario = { most: most ?? 0, trials: trials ?? 0, seed: seed ?? 0 };
  const found = useSimulation(JSON.stringify(scenario), () => simulated(scenario));
  return (
    <>
      <ScenarioForm fields={Object.values(fields)} values={values} />
      <CommandLine
        command={`dlo simulate contention --clients ${scenario.most} --trials ${scenario.trials} --seed ${scenario.seed}`}
      />
      {found === null ? <p role="status">Simulating…</p> : null}
      {found !== null && "refused" in found ? <p role="alert">{found.refused}</p> : null}
      {found !== null && "result" in found ? <Findings {...found.result} /> : null}
    </>
  );
}

interface Found {
  readonly clients: readonly number[];
  readonly runs: readonly {
    readonly strategy: string;
    readonly calls: readonly number[];
    readonly seconds: readonly number[];
  }[];
}

function simulated({
  most,
  trials,
  seed,
}: {
  readonly most: number;
  readonly trials: number;
  readonly seed: number;
}): Found {
  const clients = [
    ...new Set(Array.from({ length: places }, (_, at) => Math.max(1, Math.round((most * (at + 1)) / places)))),
  ];
  const runs = contentionStrategies.map((strategy) => {
    const results = clients.map((n) => runToEnd(simulateContention({ strategy, clients: n, trials, seed })));
    return {
      strategy,
      calls: results.map(({ meanCalls }) => meanCalls),
      seconds: results.map(({ meanMs }) => meanMs / 1_000),
    };
  });
  return { clients, runs };
}

function Findings({ clients, runs }: Found) {
  const last = runs.map(({ strategy, calls }) => ({ strategy, calls: calls.at(-1) ?? 0 }));
  const [best] = [...last].sort((one, other) => one.calls - other.calls);
  return (
    <>
      <p className="findings" role="status">
        With {showCount(clients.at(-1) ?? 0)} clients{" "}
        {last.map(({ strategy, calls }) => `${strategy} takes ${showCount(Math.round(calls))} calls`).join(", ")}. Least
        work: <b>{best?.strategy}</b>.
      </p>
      <Plot
        title="Writes the server is asked for"
        along="clients"
        x={clients}
        lines={runs.map(({ strategy, calls }) => ({ name: strategy, values: calls }))}
      />
      <Plot
        title="Until the last has succeeded, in seconds"
        along="clients"
        x={clients}
        lines={runs.map(({ strategy, seconds }) => ({ name: strategy, values: seconds }))}
      />
    </>
  );
}
