import { type SubmitEventHandler, useId, useState } from "react";
import type { OperationName } from "../../src/office/operations/operations.ts";
import type { Action } from "../app/use-action.ts";
import type { ActProps } from "./act.tsx";
import { CommandLine } from "./command-line.tsx";
import { showCount } from "./counts.ts";

interface ActFormProps<Name extends OperationName> {
  readonly act: ActProps<Name>;
  readonly action: Action<Name>;
  readonly onSubmit: (reason: string) => Promise<void>;
  readonly onKeep: () => void;
}

/** What was typed stays when it is refused. */
export function ActForm<Name extends OperationName>({ act, action, onSubmit, onKeep }: ActFormProps<Name>) {
  const { label, children, tone = "plain", reason: asked = "required", typed = null, keep = "Not now" } = act;
  const [reason, setReason] = useState("");
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    if (!action.isBusy) void onSubmit(reason.trim());
  };
  return (
    <form onSubmit={submit}>
      <h2>{label}</h2>
      {children}
      {asked === "none" ? null : <ReasonField reason={reason} onChange={setReason} isRequired={asked === "required"} />}
      {typed === null ? null : <TypedCount count={typed} />}
      <CommandLine command={act.command(reason.trim())} />
      {action.refused === null ? null : (
        <p role="alert" className="trouble">
          {action.refused.message} {action.refused.hint}
        </p>
      )}
      <div className="buttons">
        <button type="submit" className={tone === "plain" ? "first" : tone} aria-disabled={action.isBusy}>
          {action.isBusy ? "Working…" : label}
        </button>
        <button type="button" onClick={onKeep}>
          {keep}
        </button>
      </div>
    </form>
  );
}

interface ReasonFieldProps {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
  readonly isRequired: boolean;
}

function ReasonField({ reason, onChange, isRequired }: ReasonFieldProps) {
  const id = useId();
  return (
    <p className="field">
      <label htmlFor={id}>Why{isRequired ? "" : " (if you like)"}, for whoever looks later</label>
      <textarea
        id={id}
        rows={2}
        required={isRequired}
        value={reason}
        onChange={(event) => onChange(event.target.value)}
      />
    </p>
  );
}

function TypedCount({ count }: { readonly count: number }) {
  const id = useId();
  return (
    <p className="field">
      <label htmlFor={id}>
        Type <b>{count}</b> to go on
      </label>
      <input
        id={id}
        inputMode="numeric"
        required
        pattern={String(count)}
        title={`the number of letters, ${showCount(count)}, without commas`}
        autoComplete="off"
      />
    </p>
  );
}
