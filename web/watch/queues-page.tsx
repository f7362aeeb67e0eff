import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { waitingIn } from "../letters/search-terms.ts";
import { Age } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { inWords, showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { Drains } from "./drains.tsx";
import { Peek } from "./peek.tsx";

type Answered = OutputOf<"queues.list">;

interface QueueRow {
  readonly source: string;
  readonly queue: string;
  readonly open: number;
  readonly total: number;
  /** Open ones by category, those with most first. */
  readonly categories: readonly (readonly [string, number])[];
  readonly oldestAt: string | null;
  readonly hours: readonly number[];
}

const openStates = ["open", "returned"];

/** Where it hurts, whether it is growing, and whether what dies is taken in. */
export function QueuesPage() {
  const answer = useAnswer("queues.list", {});
  const status = useAnswer("status.get", {});
  const rows = answer.data === null ? [] : rowsOf(answer.data);
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
      <h2>Without draining</h2>
      <p className="muted">
        The first messages of a dead-letter queue, read where they lie, masked as letters are. Where a broker counts a
        look as a delivery (RabbitMQ, SQS) it is refused.
      </p>
      <Peek />
      <CommandLine command="dlo queues" />
      <Freshness answer={answer} />
    </>
  );
}

function rowsOf({ counts, oldest, arrivals }: Answered): readonly QueueRow[] {
  const names = [...new Set(counts.map(({ source, queue }) => JSON.stringify([source, queue])))];
  const rows = names.map((name): QueueRow => {
    const [source, queue] = JSON.parse(name) as [string, string];
    const isHere = (each: { readonly source: string; readonly queue: string }) =>
      each.source === source && each.queue === queue;
    const own = counts.filter(isHere);
    const open = own.filter(({ state }) => openStates.includes(state));
    return {
      ...{ source, queue, open: sum(open), total: sum(own), categories: byCategory(open) },
      oldestAt: oldest.find(isHere)?.arrivedAt ?? null,
      hours: arrivals.find(isHere)?.hours ?? [],
    };
  });
  return rows.sort((one, other) => other.open - one.open || one.queue.localeCompare(other.queue));
}

function byCategory(open: Answered["counts"]): readonly (readonly [string, number])[] {
  const names = [...new Set(open.map(({ category }) => category))];
  return names
    .map((name) => [name, sum(open.filter(({ category }) => category === name))] as const)
    .sort(([, one], [, other]) => other - one);
}

function sum(counts: readonly { readonly n: number }[]): number {
  return counts.reduce((total, { n }) => total + n, 0);
}

const columns: readonly TableColumn<QueueRow>[] = [
  {
    heading: "Queue",
    cell: ({ source, queue }) => (
      <Link to={pages.letters(waitingIn(source, queue))} row>
        {queue}
      </Link>
    ),
  },
  { heading: "Source", label: "source", cell: ({ source }) => source },
  { heading: "Open", kind: "number", cell: ({ open }) => showCount(open) },
  {
    heading: "Of them",
    cell: ({ categories }) => categories.map(([name, n]) => `${showCount(n)} ${inWords(name)}`).join(" · ") || "–",
  },
  { heading: "Last hour", kind: "number", cell: ({ hours }) => showCount(hours.at(-1) ?? 0) },
  { heading: "24 h", cell: ({ hours }) => <Sparkline hours={hours} /> },
  { heading: "Oldest", kind: "number", cell: ({ oldestAt }) => <Age since={oldestAt} /> },
  { heading: "Held in all", kind: "number", cell: ({ total }) => showCount(total) },
  {
    heading: "Around it",
    cell: ({ source, queue }) => <Link to={pages.topology(`${source}/${queue}`)}>topology</Link>,
  },
];

function keyOf({ source, queue }: QueueRow): string {
  return `${source}/${queue}`;
}
