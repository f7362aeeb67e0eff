import type { OutputOf } from "../../src/office/operations/operations.ts";

type Warnings = OutputOf<"letters.list">["warnings"];

/** What a search says that is probably not meant. */
export function SearchWarnings({ warnings }: { readonly warnings: Warnings }) {
  if (warnings.length === 0) return null;
  return (
    <div role="status" className="says">
      {warnings.map(({ name, sentence }) => (
        <p key={name}>Warning: {sentence}</p>
      ))}
    </div>
  );
}

/** Asks about each name that a search leaves out and that no letter has, before anything is selected by it. */
export function ConfirmUnknown({ warnings }: { readonly warnings: Warnings }) {
  return warnings.map(({ name, sentence }) => (
    <div key={name} className="says">
      <p>{sentence}</p>
      <label>
        <input type="checkbox" required /> I mean {name}, plan anyway
      </label>
    </div>
  ));
}
