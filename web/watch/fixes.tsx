import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { Age } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";

type Fix = OutputOf<"fixes.list">["items"][number];

/** What was mended. A letter that failed after a fix proves that it did not cover every case. */
export function Fixes() {
  const answer = useAnswer("fixes.list", { limit: 20 });
  const fixes = answer.data?.items ?? [];
  return (
    <section aria-labelledby="fixes">
      <h2 id="fixes">Fixes</h2>
      <Trouble answer={answer} />
      {answer.data !== null && fixes.length === 0 ? (
        <p>None was recorded. A group of poison letters offers it.</p>
      ) : null}
      {fixes.length === 0 ? null : (
        <table className="rows">
          <caption className="unseen">Fixes, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Fix</th>
              <th scope="col">Group</th>
              <th scope="col" className="number">
                Live for
              </th>
              <th scope="col" className="number">
                Failed before
              </th>
              <th scope="col" className="number">
                After
              </th>
              <th scope="col" className="number">
                Unknown
              </th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {fixes.map((fix) => (
              <FixRow key={fix.id} fix={fix} onChange={answer.reload} />
            ))}
          </tbody>
        </table>
      )}
      <CommandLine command="dlo fix list" />
    </section>
  );
}

function FixRow({ fix, onChange }: { readonly fix: Fix; readonly onChange: () => void }) {
  const { id, group, called, reason, introducedBy, fixedAt, letters, recordedBy, retractedBy } = fix;
  return (
    <tr>
      <td>
        <b>{called}</b>
        {reason === null ? null : <div className="muted">{reason}</div>}
        {introducedBy === null ? null : <div className="muted">Introduced by {introducedBy}</div>}
      </td>
      <td>
        <Link to={pages.group(group)} row>
          {group}
        </Link>
      </td>
      <td className="number" data-label="live for">
        <Age since={fixedAt} />
      </td>
      <td className="number" data-label="before">
        {showCount(letters.before)}
      </td>
      <td className="number" data-label="after">
        {showCount(letters.after)}
      </td>
      <td className="number" data-label="unknown">
        {showCount(letters.unknown)}
      </td>
      <td>
        {recordedBy}{" "}
        {retractedBy === null ? (
          <Act
            operation="fixes.retract"
            label="Retract"
            reason="optional"
            keep="Let it stand"
            command={(why) => `dlo fix retract ${id}${why === "" ? "" : ` --reason ${quoted(why)}`}`}
            input={(why) => ({ id, reason: why || null })}
            onDone={onChange}
          >
            <p>It opens nothing any more: letters of its group are blocked again. It stays on record.</p>
          </Act>
        ) : (
          `· retracted by ${retractedBy}`
        )}
      </td>
    </tr>
  );
}
