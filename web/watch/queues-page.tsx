import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Age } from "../ui/age.tsx";
import { CommandLine, quoted } from "../ui/command-line.tsx";
import { inWords, showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { StateChip } from "../ui/state-chip.tsx";

type Answered = OutputOf<"queues.list">;
type Drain = OutputOf<"status.get">["drains"][number];

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
      {rows.length === 0 ? null : <QueuesTable rows={rows} />}
      <h2>Draining</h2>
      <p className="muted">
        What is drained leaves the broker: alarms on the depth of a dead-letter queue go quiet, and the open letters
        above are what counts.
      </p>
      <Drains drains={status.data?.drains ?? []} />
      <CommandLine command="dlo queues" />
      <Freshness at={answer.at} />
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

function QueuesTable({ rows }: { readonly rows: readonly QueueRow[] }) {
  return (
    <table className="rows">
      <caption className="unseen">Queues, those with most open letters first</caption>
      <thead>
        <tr>
          <th scope="col">Queue</th>
          <th scope="col">Source</th>
          <th scope="col" className="number">
            Open
          </th>
          <th scope="col">Of them</th>
          <th scope="col" className="number">
            Last hour
          </th>
          <th scope="col">24 h</th>
          <th scope="col" className="number">
            Oldest
          </th>
          <th scope="col" className="number">
            Held in all
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.source}/${row.queue}`} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { readonly row: QueueRow }) {
  const { source, queue, open, total, categories, oldestAt, hours } = row;
  const q = `source:${quoted(source)} queue:"${queue}"`;
  return (
    <tr>
      <td>
        <Link to={pages.letters(`${q} state:open,returned`)} row>
          {queue}
        </Link>
      </td>
      <td data-label="source">{source}</td>
      <td className="number" data-label="open">
        {showCount(open)}
      </td>
      <td>{categories.map(([name, n]) => `${showCount(n)} ${inWords(name)}`).join(" · ") || "–"}</td>
      <td className="number" data-label="last hour">
        {showCount(hours.at(-1) ?? 0)}
      </td>
      <td>
        <Sparkline hours={hours} />
      </td>
      <td className="number" data-label="oldest">
        <Age since={oldestAt} />
      </td>
      <td className="number" data-label="held in all">
        {showCount(total)}
      </td>
    </tr>
  );
}

function Drains({ drains }: { readonly drains: readonly Drain[] }) {
  if (drains.length === 0)
    return (
      <p>
        The configuration asks for no queue to be drained. <code>mode: drain</code> in <code>dlo.config.yaml</code>{" "}
        does.
      </p>
    );
  return (
    <table className="rows">
      <caption className="unseen">Dead-letter queues that are drained</caption>
      <thead>
        <tr>
          <th scope="col">Dead-letter queue</th>
          <th scope="col">State</th>
          <th scope="col" className="number">
            Taken in
          </th>
          <th scope="col">Trouble</th>
        </tr>
      </thead>
      <tbody>
        {drains.map(({ source, queue, state, since, held, trouble }) => (
          <tr key={`${source}/${queue}`}>
            <td>
              {source}/{queue}
            </td>
            <td>
              <StateChip state={state} tone={trouble === null ? "good" : "bad"} /> for <Age since={since} />
            </td>
            <td className="number" data-label="taken in">
              {showCount(held)}
            </td>
            <td>{trouble ?? "none"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
