import { type SubmitEventHandler, useId, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { ask } from "../app/office.ts";
import { pages } from "../app/routes.ts";
import { useAction } from "../app/use-action.ts";
import { useForbidden } from "../ui/act.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { editCommand, patchOf } from "./edit-change.ts";
import type { Edit } from "./edit-page.tsx";
import { ShownChanges } from "./shown-changes.tsx";
import type { Preview } from "./use-preview.ts";

interface KeepEditProps {
  readonly letter: OutputOf<"letters.get">;
  readonly edit: Edit;
  readonly preview: Preview;
  readonly reload: () => void;
}

/** What would change, why, and the button that keeps it: as the letter's next revision, which a plan then takes. */
export function KeepEdit({ letter, edit, preview, reload }: KeepEditProps) {
  const action = useAction("edits.make");
  const forbidden = useForbidden("edits.make");
  const [reason, setReason] = useState("");
  const [kept, setKept] = useState<OutputOf<"edits.make"> | null>(null);
  const changes = preview.kind === "changes" ? preview.changes : null;
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    if (action.isBusy || forbidden !== null || changes === null || edit.change === null) return;
    void action.run({ id: letter.id, from: edit.begun.revision, ...edit.change, reason }).then(async (made) => {
      // Somebody else may have been first: how it stands now says so.
      reload();
      if (made === null) return;
      setKept(made);
      edit.begin(await ask("edits.list", { id: letter.id }));
    });
  };
  return (
    <form onSubmit={submit} aria-labelledby="changes">
      <h2 id="changes">What changes</h2>
      <Previewed preview={preview} />
      {kept !== null && edit.change === null ? <Kept letter={letter} edit={kept} /> : null}
      <Reason reason={reason} onChange={setReason} />
      <CommandLine command={editCommand(letter.id, changes, reason.trim())} />
      {action.refused === null || action.refused.code === "EDIT_CONFLICT" ? null : (
        <p role="alert" className="trouble">
          {action.refused.message} {action.refused.hint} What you wrote is still here.
        </p>
      )}
      {forbidden === null ? null : <p className="says">{forbidden}</p>}
      <div className="buttons">
        <button type="submit" className="first" aria-disabled={changes === null || forbidden !== null}>
          {action.isBusy ? "Keeping…" : `Keep as revision ${edit.begun.revision + 1}`}
        </button>
        <span className="muted">Nothing is sent: sending takes a plan, and the approval of somebody else.</span>
      </div>
    </form>
  );
}

function Previewed({ preview }: { readonly preview: Preview }) {
  switch (preview.kind) {
    case "nothing":
      return <p className="muted">Nothing yet. Bytes that are not changed stay as they are: numbers, spaces, order.</p>;
    case "looking":
      return <p className="muted">Looking…</p>;
    case "refused":
      return (
        <p role="alert" className="trouble">
          {preview.refused.message} {preview.refused.hint}
        </p>
      );
    case "changes":
      return <ShownChanges changes={preview.changes} />;
  }
}

function Reason({ reason, onChange }: { readonly reason: string; readonly onChange: (reason: string) => void }) {
  const id = useId();
  return (
    <p className="field">
      <label htmlFor={id}>Why, for whoever approves it and whoever looks later</label>
      <textarea id={id} rows={2} required value={reason} onChange={(event) => onChange(event.target.value)} />
    </p>
  );
}

interface KeptProps {
  readonly letter: OutputOf<"letters.get">;
  readonly edit: OutputOf<"edits.make">;
}

/** The one next step, and the same change for all that failed alike. */
function Kept({ letter, edit }: KeptProps) {
  const patch = letter.category === "business_rule" ? null : patchOf(edit);
  return (
    <div className="kept">
      <p role="status">Kept as revision {edit.revision}. Nothing was sent.</p>
      <div className="buttons">
        <Link to={pages.plan({ ids: letter.id })} look="first" plan>
          Plan a replay of this letter
        </Link>
        {patch === null ? null : (
          <Link to={pages.plan({ group: letter.group, patch })} look="button">
            Plan the same change for its whole group
          </Link>
        )}
      </div>
    </div>
  );
}
