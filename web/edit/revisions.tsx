import { Ago } from "../ui/age.tsx";
import type { Draft } from "./edit-change.ts";
import { ShownChanges } from "./shown-changes.tsx";

interface RevisionsProps {
  readonly draft: Draft;
  readonly canGoBack: boolean;
  readonly onOriginal: () => void;
}

/** What was made of the letter so far, newest first; nothing here is ever taken away. */
export function Revisions({ draft: { edits }, canGoBack, onOriginal }: RevisionsProps) {
  if (edits.length === 0) return null;
  return (
    <section aria-labelledby="revisions">
      <h2 id="revisions">Revisions</h2>
      {edits.toReversed().map((edit) => (
        <details key={edit.revision}>
          <summary>
            {edit.revision}: {edit.reason} <span className="muted">by {edit.by},</span> <Ago since={edit.at} />
            {edit.replay === null ? "" : `, with ${edit.replay}`}
          </summary>
          <ShownChanges changes={edit} />
        </details>
      ))}
      {canGoBack ? (
        <button type="button" onClick={onOriginal}>
          Go back to the bytes it came with
        </button>
      ) : null}
    </section>
  );
}
