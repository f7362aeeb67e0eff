import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { waitingIn } from "../letters/search-terms.ts";
import { HowOld } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { inWords, showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { Drains } from "./drains.tsx";
import { Peek } from "./peek.tsx";
import { type QueueRow, queueRows } from "./queue-rows.ts";

/** Where it hurts, whether it is growing, and whether what dies is taken in. */
export function QueuesPage() {
  const answer = useAnswer("queues.list", {});
  const status = useAnswer("status.get", {});
  const rows = answer.data === null ? [] : queueRows(answer.data);
  return (
    <>
      <h1>Queues</h1>
      <Trouble answer={answer} />
      {answer.data !== null && rows.length === 0 ? <p>No letter came from any queue yet.</p> : null}
      {rows.length === 0 ? null : (
        <RowsTable caption="Queues, those with most open letters first" columns={columns} rows={rows} keyOf={keyOf} />
      )}
      <h2>Draining</h2>
      <p className="muted">
        What is drained leaves the broker: alarms on the depth of a dead-letter queue go quiet, and the open letters
        above are what counts.
      </p>
      <Drains drains={status.data?.drains ?? []} />
      <Peek />
      <CommandLine command="dlo queues" />
      <Freshness answer={answer} />
    </>
  );
}

const columns: readonly TableColumn<QueueRow>[] = [
  {
    heading: "Queue",
    cell: ({ source, queue }) => (
      <Link to={pages.queue(source, queue)} row>
        {queue}
      </Link>
    ),
  },
  { heading: "Source", label: "source", cell: ({ source }) => source },
  {
    heading: "Open",
    kind: "number",
    cell: ({ source, queue, open }) => <Link to={pages.letters(waitingIn(source, queue))}>{showCount(open)}</Link>,
  },
  {
    heading: "Of them",
    cell: ({ categories }) => categories.map(([name, n]) => `${showCount(n)} ${inWords(name)}`).join(" · ") || "–",
  },
  { heading: "Last hour", kind: "number", cell: ({ hours }) => showCount(hours.at(-1) ?? 0) },
  { heading: "24 h", cell: ({ hours }) => <Sparkline hours={hours} /> },
  { heading: "Oldest", kind: "number", cell: ({ oldestAt }) => <HowOld since={oldestAt} /> },
  { heading: "Held in all", kind: "number", cell: ({ total }) => showCount(total) },
  {
    heading: "Around it",
    cell: ({ source, queue }) => <Link to={pages.topology(`${source}/${queue}`)}>topology</Link>,
  },
];

function keyOf({ source, queue }: QueueRow): string {
  return `${source}/${queue}`;
}
