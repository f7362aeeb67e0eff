import { useState } from "react";
import { useReading } from "../app/display-zone.ts";
import { Act } from "../ui/act.tsx";
import { showLetters } from "../ui/counts.ts";
import { instantIn } from "../ui/moment-words.ts";
import { because, quoted } from "../ui/quoted.ts";
import type { Group } from "./group-steps.tsx";

interface RecordFixProps {
  readonly group: Group;
  readonly isFirst: boolean;
  readonly onChange: () => void;
}

/** Without a fix what a bug broke breaks again. */
export function RecordFix({ group: { id, attention }, isFirst, onChange }: RecordFixProps) {
  const [called, setCalled] = useState("");
  const [since, setSince] = useState("");
  const [introducedBy, setIntroducedBy] = useState(attention.introducedBy ?? "");
  const { zone } = useReading();
  const fixedAt = since === "" ? null : new Date(instantIn(zone, since)).toISOString();
  const commit = introducedBy.trim();
  const [said, setSaid] = useState("");
  return (
    <>
      <Act
        operation="fixes.record"
        tone={isFirst ? "first" : "plain"}
        label="Record a fix"
        reason="optional"
        command={(why) =>
          [
            `dlo fix record ${id} --called ${quoted(called || "…")}`,
            commit === "" ? "" : ` --introduced-by ${quoted(commit)}`,
            fixedAt === null ? "" : ` --at ${fixedAt}`,
            because(why),
          ].join("")
        }
        input={(reason) => ({ group: id, called, introducedBy: commit || null, fixedAt, reason: reason || null })}
        onDone={({ letters: { before, after } }) => {
          setSaid(
            `${showLetters(before)} failed before it and may go; ${showLetters(after)} failed after it and stay.`,
          );
          onChange();
        }}
      >
        <p>Letters that failed before it was live may go back; those after it prove that it was not enough.</p>
        <label className="field">
          What people know it by: a version, a commit, a ticket
          <input required value={called} onChange={(event) => setCalled(event.target.value)} autoComplete="off" />
        </label>
        <label className="field">
          Live since ({zone}); empty: since now
          <input type="datetime-local" value={since} onChange={(event) => setSince(event.target.value)} />
        </label>
        <label className="field">
          The commit or version that brought the bug in, if it is known
          <input value={introducedBy} onChange={(event) => setIntroducedBy(event.target.value)} autoComplete="off" />
        </label>
      </Act>
      <span role="status">{said}</span>
    </>
  );
}
