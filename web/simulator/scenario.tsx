import { type SubmitEventHandler, useEffect, useState } from "react";
import { isOfficeError } from "../../src/domain/errors.ts";

/** The scenario, in the address. */
export interface ScenarioValues {
  readonly get: (name: string) => string | null;
  readonly set: (changed: Readonly<Record<string, string>>) => void;
}

export interface ScenarioField {
  readonly name: string;
  readonly label: string;
  readonly otherwise: string;
  /** Choices; without them it is a number. */
  readonly of?: readonly string[];
}

export interface ScenarioFormProps {
  readonly fields: readonly ScenarioField[];
  readonly values: ScenarioValues;
}

export function ScenarioForm({ fields, values }: ScenarioFormProps) {
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    values.set(Object.fromEntries([...given].map(([name, value]) => [name, typeof value === "string" ? value : ""])));
  };
  return (
    <form onSubmit={submit} className="scenario" key={fields.map(({ name }) => values.get(name)).join()}>
      {fields.map(({ name, label, otherwise, of }) => (
        <div key={name} className="field">
          <label htmlFor={`of-${name}`}>{label}</label>
          {of === undefined ? (
            <input
              id={`of-${name}`}
              name={name}
              type="number"
              step="any"
              required
              defaultValue={values.get(name) ?? otherwise}
            />
          ) : (
            <select id={`of-${name}`} name={name} defaultValue={values.get(name) ?? otherwise}>
              {of.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          )}
        </div>
      ))}
      <p className="field">
        <button type="submit" className="first">
          Simulate
        </button>
      </p>
    </form>
  );
}

/** A field as it is in the address, or as it is otherwise; a choice nobody knows is as good as none. */
export function readField({ name, otherwise, of }: ScenarioField, values: ScenarioValues): string {
  const given = values.get(name) ?? otherwise;
  return of === undefined || of.includes(given) ? given : otherwise;
}

export type Simulated<Result> = { readonly result: Result } | { readonly refused: string } | null;

/** Computes after the page is drawn; null meanwhile. Again only for another scenario. */
export function useSimulation<Result>(scenario: string, simulate: () => Result): Simulated<Result> {
  const [done, setDone] = useState<{ readonly scenario: string; readonly found: Simulated<Result> } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scenario says all that it depends on
  useEffect(() => {
    const timer = setTimeout(() => setDone({ scenario, found: tried(simulate) }), 0);
    return () => clearTimeout(timer);
  }, [scenario]);
  return done?.scenario === scenario ? done.found : null;
}

function tried<Result>(simulate: () => Result): Simulated<Result> {
  try {
    return { result: simulate() };
  } catch (error) {
    if (isOfficeError(error)) return { refused: error.message };
    throw error;
  }
}
