import { Ago } from "../ui/age.tsx";
import type { Draft } from "./edit-change.ts";
import { ShownChanges } from "./shown-changes.tsx";

interface EditConflictProps {
  readonly latest: Draft;
  readonly onGoOn: () => void;
  readonly onLeave: () => void;
}

/** Somebody else was first. Nothing of theirs is overwritten, and nothing of this one's is lost. */
export function EditConflict({ latest, onGoOn, onLeave }: EditConflictProps) {
  const theirs = latest.edits.at(-1);
  if (theirs === undefined) return null;
  return (
    <section aria-labelledby="conflict" className="conflict" role="alert">
      <h2 id="conflict">Not kept: {theirs.by} has edited this letter meanwhile</h2>
      <p>
        Revision {theirs.revision} was made <Ago since={theirs.at} />, because: {theirs.reason}
      </p>
      <p>Nothing was changed by you, nothing was sent, and what you wrote is still here.</p>
      <h3>What {theirs.by} changed</h3>
      <ShownChanges changes={theirs} />
      <div className="buttons">
        <button type="button" className="first" onClick={onGoOn}>
          Go on from theirs with what I wrote
        </button>
        <button type="button" onClick={onLeave}>
          Take theirs and leave mine
        </button>
      </div>
    </section>
  );
}
