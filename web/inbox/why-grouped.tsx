import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useSession } from "../app/session.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { Ago } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { because } from "../ui/quoted.ts";
import type { Group } from "./group-steps.tsx";
import { MergeGroup, SplitGroup } from "./regroup.tsx";

type History = OutputOf<"groups.history">;
type Change = History["items"][number];

interface WhyGroupedProps {
  readonly group: Group;
  readonly onChange: () => void;
}

/** By what letters came together here, who changed that, and how to change it where they are not one problem. */
export function WhyGrouped(props: WhyGroupedProps) {
  const { may } = useSession();
  return (
    <section aria-labelledby="why-grouped">
      <h2 id="why-grouped">Why grouped</h2>
      <p>
        These letters failed in one queue with the same class, code, message, cause and place, as far as they are known;
        numbers, ids and quoted values do not count.
      </p>
      {/* What was merged may be of queues that somebody of some queues does not see. */}
      {may.includes("groups.history") ? <Regrouping {...props} /> : null}
    </section>
  );
}

function Regrouping({ group, onChange }: WhyGroupedProps) {
  const { id } = group;
  const history = useAnswer("groups.history", { group: id });
  const changed = () => {
    history.reload();
    onChange();
  };
  const standing = history.data?.items.filter(({ inForce, kind }) => inForce && kind !== "undo") ?? [];
  return (
    <>
      <Trouble answer={history} />
      {standing.length === 0 ? null : (
        <ul className="names">
          {standing.map((change) => (
            <li key={change.version}>
              <Changed change={change} id={id} /> <Undo change={change} onDone={changed} />
            </li>
          ))}
        </ul>
      )}
      {history.data?.isMoving ? (
        <p role="status">Letters are still moving to where the last change wants them.</p>
      ) : null}
      <div className="buttons">
        <SplitGroup group={group} onDone={changed} />
        <MergeGroup group={group} onDone={changed} />
      </div>
      <CommandLine command={`dlo groups history ${id}`} />
    </>
  );
}

interface OneChange {
  readonly change: Change;
}

function Changed({ change, id }: OneChange & { readonly id: string }) {
  const { kind, group, into, when, by, at, reason } = change;
  const isFrom = group === id;
  const did = kind === "merge" ? (isFrom ? "merged it into" : "merged") : isFrom ? "split off" : "split it off from";
  return (
    <>
      <Ago since={at} />: {by} {did} <GroupLink id={isFrom ? into : group} />
      {kind === "merge" && !isFrom ? " into it" : ""}
      {when === null ? null : (
        <>
          {" "}
          by <code>{when}</code>
        </>
      )}
      {reason === null ? "." : `: ${reason}`}
    </>
  );
}

function GroupLink({ id }: { readonly id: string }) {
  return <Link to={pages.group(id)}>{id}</Link>;
}

function Undo({ change: { version, kind }, onDone }: OneChange & { readonly onDone: () => void }) {
  return (
    <Act
      operation="groups.undo"
      label={`Undo this ${kind}`}
      reason="optional"
      command={(why) => `dlo groups undo ${version}${because(why)}`}
      input={(reason) => ({ version, reason: reason || null })}
      onDone={onDone}
    >
      <p>Letters go to where they would be without it, those that come later too. The record keeps both.</p>
    </Act>
  );
}
