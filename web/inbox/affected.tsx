import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { showCount } from "../ui/counts.ts";
import { Trouble } from "../ui/notice.tsx";
import type { Group } from "./group-steps.tsx";

type Names = OutputOf<"groups.affected">["keys"];

/** Whom it concerns, to be copied to whoever has to tell them. */
export function Affected({ group: { id } }: { readonly group: Group }) {
  const answer = useAnswer("groups.affected", { id });
  const found = answer.data;
  return (
    <section aria-labelledby="affected">
      <h2 id="affected">Affected</h2>
      <Trouble answer={answer} />
      {found === null ? null : (
        <div className="columns">
          <NameList what="tenant" names={found.tenants} distinct={found.distinctTenants} />
          <NameList what="key" names={found.keys} distinct={found.distinctKeys} />
        </div>
      )}
    </section>
  );
}

const shownAtOnce = 8;

interface NameListProps {
  readonly what: string;
  readonly names: Names;
  readonly distinct: number;
}

function NameList({ what, names, distinct }: NameListProps) {
  if (distinct === 0) return <p className="muted">No {what}s are known of the open letters.</p>;
  const many = distinct === 1 ? what : `${what}s`;
  const copied = copiedOf(names.length, distinct);
  return (
    <div>
      <h3>
        {showCount(distinct)} distinct {many}
      </h3>
      <ul className="names">
        {names.slice(0, shownAtOnce).map(({ name, n }) => (
          <li key={name}>
            <code>{name}</code> <span className="muted">{showCount(n)}</span>
          </li>
        ))}
        {distinct > shownAtOnce ? <li className="muted">and {showCount(distinct - shownAtOnce)} more</li> : null}
      </ul>
      <CopyButton text={names.map(({ name }) => name).join("\n")} label={`Copy ${copied} ${many}`} />
    </div>
  );
}

function copiedOf(n: number, distinct: number): string {
  if (distinct === 1) return "the";
  return n < distinct ? `the first ${showCount(n)}` : `all ${showCount(distinct)}`;
}
