import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import type { Answer } from "../app/use-answer.ts";
import { HowOld } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { Sparkline } from "../ui/sparkline.tsx";

type Groups = OutputOf<"groups.list">;
type Group = Groups["items"][number];

/** What to begin with: the groups of a queue that have open letters. */
export function QueueGroups({ answer }: { readonly answer: Answer<Groups> }) {
  const groups = answer.data?.items ?? [];
  return (
    <>
      <h2>Open groups</h2>
      <Trouble answer={answer} />
      {answer.data !== null && groups.length === 0 ? <p>None is open.</p> : null}
      {groups.length === 0 ? null : (
        <RowsTable
          caption="Groups of this queue, those with most open letters first"
          columns={columns}
          rows={groups}
          keyOf={({ id }) => id}
        />
      )}
    </>
  );
}

const columns: readonly TableColumn<Group>[] = [
  {
    heading: "Group",
    cell: ({ id, title }) => (
      <Link to={pages.group(id)} row>
        {title}
      </Link>
    ),
  },
  { heading: "Category", cell: ({ category }) => <CategoryChip category={category} /> },
  { heading: "Open", kind: "number", cell: ({ open }) => showCount(open) },
  { heading: "Oldest", kind: "number", cell: ({ oldestOpenAt }) => <HowOld since={oldestOpenAt} /> },
  { heading: "24 h", cell: ({ hours }) => <Sparkline hours={hours} /> },
];
