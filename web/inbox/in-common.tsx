import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Moment } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import type { Group } from "./group-steps.tsx";

type Common = OutputOf<"groups.common">;
type Field = Common["fields"][number];

/** Whether these are really one problem: one tenant, one host, one version, one minute. */
export function InCommon({ group: { id } }: { readonly group: Group }) {
  // Each look reads some hundred letters: one when the page opens is enough.
  const answer = useAnswer("groups.common", { id }, null);
  const found = answer.data;
  return (
    <section aria-labelledby="in-common">
      <h2 id="in-common">In common</h2>
      <Trouble answer={answer} />
      {found === null ? null : <Looked common={found} />}
      {found === null || found.fields.length === 0 ? null : (
        <RowsTable
          caption="What these letters share, what tells them from others of their queue first"
          columns={columns}
          rows={found.fields}
          keyOf={({ field }) => field}
        />
      )}
      <CommandLine command={`dlo groups common ${id}`} />
    </section>
  );
}

function Looked({ common: { looked, compared, firstFailedAt, lastFailedAt } }: { readonly common: Common }) {
  return (
    <p className="muted">
      {`The latest ${showLetters(looked)}, ${othersOf(compared)}. `}
      {firstFailedAt === lastFailedAt ? (
        "Failed at "
      ) : (
        <>
          They failed between <Moment at={firstFailedAt} to="second" /> and{" "}
        </>
      )}
      <Moment at={lastFailedAt} to="second" />.
    </p>
  );
}

function othersOf(compared: number): string {
  return compared === 0
    ? "with no others of the queue to compare them with"
    : `compared with ${showCount(compared)} ${compared === 1 ? "other" : "others"} of the queue`;
}

const columns: readonly TableColumn<Field>[] = [
  {
    heading: "What",
    kind: "name",
    cell: ({ field, isTelling }) => (
      <>
        {field}
        {isTelling ? (
          <>
            {" "}
            <span className="state warn">telling</span>
          </>
        ) : null}
      </>
    ),
  },
  { heading: "How", cell: ({ sentence }) => sentence },
  {
    heading: "Letters",
    cell: ({ distinct, values }) =>
      values[0]?.n === 1 && distinct > 1
        ? "–"
        : values.slice(0, distinct > 1 ? 3 : 1).map(({ value, n, q }) => (
            <span key={value} className="listed">
              {q === null ? `${showCount(n)}` : <Link to={pages.letters(q)}>{`letters with ${value}`}</Link>}{" "}
            </span>
          )),
  },
];
