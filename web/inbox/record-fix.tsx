import { useState } from "react";
import { Act } from "../ui/act.tsx";
import { showLetters } from "../ui/counts.ts";
import { because, quoted } from "../ui/quoted.ts";
import type { Group } from "./group-steps.tsx";

interface RecordFixProps {
  readonly group: Group;
  readonly isFirst: boolean;
  readonly onChange: () => void;
}

/** Without a fix what a bug broke breaks again. */
export function RecordFix({ group: { id }, isFirst, onChange }: RecordFixProps) {
  const [called, setCalled] = useState("");
  const [said, setSaid] = useState("");
  return (
    <>
      <Act
        operation="fixes.record"
        tone={isFirst ? "first" : "plain"}
        label="Record a fix"
        reason="optional"
        command={(why) => `dlo fix record ${id} --called ${quoted(called || "…")}${because(why)}`}
        input={(reason) => ({ group: id, called, reason: reason || null })}
        onDone={({ letters: { before, after } }) => {
          setSaid(
            `${showLetters(before)} failed before it and may go; ${showLetters(after)} failed after it and stay.`,
          );
          onChange();
        }}
      >
        <p>
          It counts from now on. Letters that failed before it may go back; those after it prove that it was not enough.
        </p>
        <label className="field">
          What people know it by: a version, a commit, a ticket
          <input required value={called} onChange={(event) => setCalled(event.target.value)} autoComplete="off" />
        </label>
      </Act>
      <span role="status">{said}</span>
    </>
  );
}
