import type { OutputOf } from "../../src/office/operations/operations.ts";
import {
  asConfig,
  pastOutageAssumes,
  simulateTried,
  type TriedPolicy,
  triedJitters,
} from "../../src/simulate/past-outage.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Ago } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { Plot } from "../ui/plot.tsx";
import { RawText } from "../ui/raw-text.tsx";
import { readField, type ScenarioField, ScenarioForm, type ScenarioValues, useSimulation } from "./scenario.tsx";

type Found = OutputOf<"groups.outage">;
type Outage = NonNullable<Found["outage"]>;

const usual = { attempts: "5", base: "1", cap: "60", factor: "2", jitter: "full" };
/** Beside it, what stays at it for longer. */
const patient = { ...usual, attempts: "9", cap: "300" };

function fieldsOf(prefix: string, label: string, { attempts, base, cap, factor, jitter }: typeof usual) {
  return {
    attempts: { name: `${prefix}attempts`, label: `${label}: attempts`, otherwise: attempts },
    base: { name: `${prefix}base`, label: `${label}: first wait, seconds`, otherwise: base },
    cap: { name: `${prefix}cap`, label: `${label}: longest wait, seconds`, otherwise: cap },
    factor: { name: `${prefix}factor`, label: `${label}: factor`, otherwise: factor },
    jitter: { name: `${prefix}jitter`, label: `${label}: jitter`, otherwise: jitter, of: triedJitters },
  } satisfies Readonly<Record<string, ScenarioField>>;
}

const seedField: ScenarioField = { name: "seed", label: "Seed", otherwise: "1" };
const policies = [
  { name: "Policy", fields: fieldsOf("", "Policy", usual) },
  { name: "Compared with", fields: fieldsOf("other-", "Compared with", patient) },
];
const fields = [...policies.flatMap((each) => Object.values(each.fields)), seedField];

/** An outage that happened, as the letters of a group tell of it, and what other retries would have saved. */
export function PastOutageSimulation({ values }: { readonly values: ScenarioValues }) {
  const group = values.get("group") ?? "";
  if (group === "")
    return (
      <p>
        This takes an outage that happened, and says how many letters other retries would have saved. Open a{" "}
        <Link to={pages.inbox()}>group of transient letters</Link> and choose <i>Simulate this outage</i>.
      </p>
    );
  return <OfGroup group={group} values={values} />;
}

function OfGroup({ group, values }: { readonly group: string; readonly values: ScenarioValues }) {
  const answer = useAnswer("groups.outage", { id: group }, null);
  const found = answer.data;
  return (
    <>
      <Trouble answer={answer} />
      {found === null ? null : (
        <p>
          <Link to={pages.group(found.group)}>{found.title}</Link>, {found.queue}
          {found.outage === null ? null : <WhatHappened found={found} outage={found.outage} />}
        </p>
      )}
      {found?.outage === null ? (
        <p>No letter of this group says when it failed, so there is no outage to take.</p>
      ) : null}
      {found === null || found.outage === null ? null : (
        <Compared group={group} outage={found.outage} values={values} />
      )}
    </>
  );
}

function WhatHappened({ found, outage }: { readonly found: Found; readonly outage: Outage }) {
  const n = outage.failures.reduce((sum, each) => sum + each, 0);
  return (
    <>
      : {showCount(n)} failed within {seconds(lastedMsOf(outage))}, beginning <Ago since={outage.beganAt} />
      {found.outages === 1 ? "" : ` (the largest of ${found.outages} outages)`}.
    </>
  );
}

interface ComparedProps {
  readonly group: string;
  readonly outage: Outage;
  readonly values: ScenarioValues;
}

function Compared({ group, outage, values }: ComparedProps) {
  const tried = policies.map(({ name, fields: of }) => ({ name, policy: policyOf(of, values) }));
  const seed = Number(readField(seedField, values));
  const simulated = useSimulation(JSON.stringify([group, outage.beganAt, tried, seed]), () =>
    tried.map(({ name, policy }) => ({
      ...{ name, policy },
      ...simulateTried({ ...outage, lastedMs: lastedMsOf(outage), seed }, policy),
    })),
  );
  const policy = policyOf(fieldsOf("", "Policy", usual), values);
  return (
    <>
      <ScenarioForm fields={fields} values={values} />
      <CommandLine
        command={`dlo simulate outage --group ${group} --attempts ${policy.attempts} --base ${policy.baseMs / 1_000}s --cap ${policy.capMs / 1_000}s --factor ${policy.factor} --jitter ${policy.jitter} --seed ${seed}`}
      />
      {simulated === null ? <p role="status">Simulating…</p> : null}
      {simulated !== null && "refused" in simulated ? <p role="alert">{simulated.refused}</p> : null}
      {simulated !== null && "result" in simulated ? <Findings runs={simulated.result} outage={outage} /> : null}
    </>
  );
}

type Run = ReturnType<typeof simulateTried> & { readonly name: string; readonly policy: TriedPolicy };

/** No attempt beyond those that change anything is drawn. */
const shownAttempts = 20;

function Findings({ runs, outage }: { readonly runs: readonly Run[]; readonly outage: Outage }) {
  const shown = Math.max(shownAttempts, ...runs.map(({ policy }) => policy.attempts));
  return (
    <>
      <div className="findings" role="status">
        <ul>
          {runs.map((run) => (
            <li key={run.name}>
              <b>{run.name}</b>: {run.words}
            </li>
          ))}
        </ul>
      </div>
      <p className="muted">{pastOutageAssumes}</p>
      <Plot
        title="Saved with so many attempts, in percent"
        along="attempts in all"
        x={Array.from({ length: shown }, (_, at) => at + 1)}
        lines={runs.map(({ name, savedWith }) => ({
          name,
          values: savedWith.slice(0, shown).map((share) => Math.round(share * 1_000) / 10),
        }))}
      />
      <Plot
        title="Failed for the first time"
        along="seconds since the outage began"
        x={outage.failures.map((_, at) => Math.round((at * outage.bucketMs) / 1_000))}
        lines={[{ name: "letters", values: outage.failures }]}
      />
      {runs.map(({ name, policy }) => (
        <section key={name} aria-label={`${name}, as config`}>
          <h2>{name}, as config</h2>
          <RawText text={asConfig(policy)} />
          <CopyButton text={asConfig(policy)} label="Copy as config" />
        </section>
      ))}
    </>
  );
}

function policyOf(of: ReturnType<typeof fieldsOf>, values: ScenarioValues): TriedPolicy {
  const number = (field: ScenarioField) => Number(readField(field, values));
  return {
    ...{ attempts: number(of.attempts), factor: number(of.factor) },
    ...{ baseMs: number(of.base) * 1_000, capMs: number(of.cap) * 1_000 },
    jitter: readField(of.jitter, values) as TriedPolicy["jitter"],
  };
}

function lastedMsOf({ beganAt, endedAt }: Outage): number {
  return Date.parse(endedAt) - Date.parse(beganAt);
}

function seconds(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}
