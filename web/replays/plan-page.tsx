import { type SubmitEventHandler, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { goTo, type Place, pages } from "../app/routes.ts";
import { useAction } from "../app/use-action.ts";
import { useAnswer } from "../app/use-answer.ts";
import { ConfirmUnknown } from "../letters/search-warnings.tsx";
import { useForbidden } from "../ui/act.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";
import { RawText } from "../ui/raw-text.tsx";

/** What a plan is made of: a search, or letters by name. */
export interface Selection {
  readonly q: string;
  readonly ids: readonly string[];
  /** A JSON Patch that each of them is edited by before it goes; empty: each goes as it is. */
  readonly patch: string;
}

/** Of what a search finds, only these are planned: the rest is decided. */
const undecided = "state:open,returned,in_replay,in_doubt";

export function selectionOf({ query, fragment }: Pick<Place, "query" | "fragment">): Selection {
  const ids = (fragment.get("ids") ?? query.get("ids"))?.split(",") ?? [];
  const group = query.get("group");
  return {
    ids,
    patch: fragment.get("patch") ?? query.get("patch") ?? "",
    q: group === null ? (query.get("q") ?? "") : `group:${group}`,
  };
}

/** Before a plan is made: how many it would be about. Making one sends and claims nothing. */
export function PlanPage({ selection: { q, ids, patch } }: { readonly selection: Selection }) {
  const count = useAnswer("letters.count", { q: q.trim() === "" ? "" : `(${q}) ${undecided}` });
  const n = ids.length > 0 ? ids.length : (count.data?.n ?? null);
  const isExact = ids.length > 0 || count.data?.isExact !== false;
  return (
    <>
      <p className="over">Replay</p>
      <h1>Plan a replay</h1>
      <p>
        Each letter is looked at, and gets a decision with its reason. Nothing is sent, and nothing is claimed, by
        making a plan.
      </p>
      {ids.length === 0 ? <Trouble answer={count} /> : null}
      {q.trim() === "" && ids.length === 0 ? (
        <p>Choose letters first: begin with a group of the inbox, or select letters of a search.</p>
      ) : (
        <PlanForm q={q} ids={ids} patch={patch} n={n} isExact={isExact} warnings={count.data?.warnings ?? []} />
      )}
    </>
  );
}

interface PlanFormProps extends Selection {
  readonly n: number | null;
  readonly isExact: boolean;
  /** What the search leaves out though no letter has it. */
  readonly warnings: OutputOf<"letters.count">["warnings"];
}

function PlanForm({ q, ids, patch, n, isExact, warnings }: PlanFormProps) {
  const [name, setName] = useState("");
  const [redirect, setRedirect] = useState("");
  const action = useAction("replays.plan");
  const forbidden = useForbidden("replays.plan");
  const unknown = ids.length > 0 ? [] : warnings.map(({ name: unknownName }) => unknownName);
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    if (forbidden !== null || n === null || action.isBusy) return;
    const said = {
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      redirect: redirect.trim() || null,
      patch: patch || null,
    };
    // The form is not sent before each of them was confirmed.
    const which = ids.length > 0 ? { letters: [...ids] } : { q, confirmUnknown: unknown };
    void action.run({ ...which, ...said }).then((replay) => {
      if (replay !== null) goTo(pages.replay(replay.id));
    });
  };
  return (
    <form onSubmit={submit} className="sheet">
      <p>{ids.length > 0 ? `${showLetters(ids.length)} by name.` : <SelectedBy q={q} n={n} isExact={isExact} />}</p>
      {patch === "" ? null : <PatchedBy patch={patch} />}
      <TextField label="Name, such as the incident" value={name} onChange={setName} />
      <TextField
        label="Another queue of the same source, if not where they came from"
        value={redirect}
        onChange={setRedirect}
      />
      {ids.length > 0 ? null : <ConfirmUnknown warnings={warnings} />}
      <CommandLine command={commandOf({ q, ids, patch, name, redirect, unknown })} />
      {action.refused === null ? null : (
        <p role="alert" className="trouble">
          {action.refused.message} {action.refused.hint}
        </p>
      )}
      {forbidden === null ? null : <p className="says">{forbidden}</p>}
      <div className="buttons">
        <button type="submit" className="first" aria-disabled={n === null || n === 0 || forbidden !== null}>
          {action.isBusy ? "Planning…" : isExact && n !== null ? `Plan ${showLetters(n)}` : "Plan all matching"}
        </button>
      </div>
    </form>
  );
}

function SelectedBy({ q, n, isExact }: Pick<PlanFormProps, "q" | "n" | "isExact">) {
  const count = n === null ? "Counting…" : `${isExact ? "" : "more than "}${showCount(n)}`;
  return (
    <>
      {count} undecided by <code>{q}</code>, frozen when you plan.
    </>
  );
}

/** What is right for one may not be for all: the plan shows each, and somebody else has to agree. */
function PatchedBy({ patch }: { readonly patch: string }) {
  return (
    <>
      <p>Each is edited before it goes. The plan shows what that does to each, and needs an approval:</p>
      <RawText text={patch} />
    </>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TextField({ label, value, onChange }: TextFieldProps) {
  return (
    <label className="field">
      {label}
      <input value={value} onChange={(event) => onChange(event.target.value)} autoComplete="off" />
    </label>
  );
}

function commandOf({
  q,
  ids,
  patch,
  name,
  redirect,
  unknown,
}: Selection & { readonly name: string; readonly redirect: string; readonly unknown: readonly string[] }): string {
  const which = ids.length > 0 ? `--id ${ids.join(",")}` : `-q ${quoted(q)}`;
  const confirmed = unknown.map((each) => ` --confirm-unknown ${quoted(each)}`).join("");
  const edited = patch === "" ? "" : " --patch patch.json";
  const called = name.trim() === "" ? "" : ` --name ${quoted(name.trim())}`;
  return `dlo replay plan ${which}${confirmed}${edited}${called}${redirect.trim() === "" ? "" : ` --to ${quoted(redirect.trim())}`}`;
}
