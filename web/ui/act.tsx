import { type ReactNode, useRef, useState } from "react";
import type { InputOf, OperationName, OutputOf } from "../../src/office/operations/operations.ts";
import { type Present, useSession } from "../app/session.ts";
import { useAction } from "../app/use-action.ts";
import { ActForm } from "./act-form.tsx";

export interface ActProps<Name extends OperationName> {
  readonly operation: Name;
  /** What it does, to how many of what. */
  readonly label: string;
  /** What a phone shows of the label, in a place that has no room for it. @default all of it */
  readonly short?: string;
  /** What is said before it is done. */
  readonly children: ReactNode;
  readonly tone?: "first" | "plain" | "danger";
  /** Whether a reason is asked for. @default "required" */
  readonly reason?: "required" | "optional" | "none";
  /** To be typed before it is done: a count too large to press by mistake. */
  readonly typed?: number | null;
  /** The button that does not. @default "Not now" */
  readonly keep?: string;
  /** Why it cannot be done just now, besides rights; null where it can. */
  readonly blocked?: string | null;
  readonly command: (reason: string) => string;
  readonly input: (reason: string) => InputOf<Name>;
  readonly onDone: (answer: OutputOf<Name>) => void;
}

/** A button for something that changes things: it says what it will do, asks why, and shows the command that does the same. */
export function Act<Name extends OperationName>(props: ActProps<Name>) {
  const { operation, label, short, tone = "plain", blocked = null } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [says, setSays] = useState<string | null>(null);
  const action = useAction(operation);
  const forbidden = useForbidden(operation) ?? blocked;
  const press = () => {
    if (forbidden !== null) return setSays(forbidden);
    action.forget();
    dialog.current?.showModal();
  };
  const done = async (reason: string) => {
    const answer = await action.run(props.input(reason));
    if (answer === null) return;
    dialog.current?.close();
    props.onDone(answer);
  };
  return (
    <>
      <button
        type="button"
        className={tone}
        aria-label={short === undefined ? undefined : label}
        aria-disabled={forbidden !== null}
        onClick={press}
      >
        {short === undefined ? label : <span className="long">{label}</span>}
        {short === undefined ? null : <span className="short">{short}</span>}
      </button>
      {says === null || forbidden === null ? null : (
        <span role="status" className="says">
          {says}
        </span>
      )}
      <dialog ref={dialog} className="act" aria-label={label}>
        <ActForm act={props} action={action} onSubmit={done} onKeep={() => dialog.current?.close()} />
      </dialog>
    </>
  );
}

interface ActPanelProps<Name extends OperationName> {
  readonly act: ActProps<Name>;
  readonly onKeep: () => void;
}

/** What it asks, in a dialog that is open already. */
export function ActPanel<Name extends OperationName>({ act, onKeep }: ActPanelProps<Name>) {
  const action = useAction(act.operation);
  const done = async (reason: string) => {
    const answer = await action.run(act.input(reason));
    if (answer !== null) act.onDone(answer);
  };
  return <ActForm act={act} action={action} onSubmit={done} onKeep={onKeep} />;
}

/** Why somebody may not ask for an operation at all; null where they may. */
export function useForbidden(operation: OperationName): string | null {
  return whyForbidden(useSession(), operation);
}

export function whyForbidden({ may, actor }: Present, operation: OperationName): string | null {
  if (may.includes(operation)) return null;
  return `${operation} needs a role that ${actor.id} (${actor.roles.join(", ") || "no roles"}) does not have. An admin can give it.`;
}
