import { pages } from "../app/routes.ts";
import { waitingIn } from "../letters/search-terms.ts";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { moreQueues, type Topology, type TopologyQueue } from "./topology-layout.ts";

type Source = Topology["sources"][number];

interface Row extends TopologyQueue {
  readonly source: string;
}

/** The same as the drawing, source by source. */
export function TopologyTable({ source }: { readonly source: Source }) {
  const { name, broker, owner, queues, leftOut, quiet } = source;
  const about = [broker, owner].filter((each) => each !== null).join(", ");
  const rows = queues.map((queue): Row => ({ ...queue, source: name }));
  return (
    <section>
      <h2>
        <Link to={pages.topology(name)}>{name}</Link>
        {about === "" ? "" : ` (${about})`}
      </h2>
      {leftOut.queues === 0 ? null : (
        <p>
          {moreQueues(leftOut)}, not shown here. <Link to={pages.queues()}>All queues</Link>
        </p>
      )}
      {rows.length === 0 && leftOut.queues === 0 ? (
        <p>No letter came from it, and nobody reports to be at work on its queues.</p>
      ) : null}
      {rows.length === 0 ? null : (
        <RowsTable caption={`Queues of ${name}, and what is around each`} columns={columns} rows={rows} keyOf={keyOf} />
      )}
      {quiet.length === 0 ? null : (
        <p>Looked after, without letters lately: {quiet.map((each) => `${each.name} (${each.fate})`).join(", ")}.</p>
      )}
    </section>
  );
}

const becauses = { origin: "", configured: ", by replayTo", sent: ", one went there lately" } as const;

const columns: readonly TableColumn<Row>[] = [
  {
    heading: "Queue",
    kind: "name",
    cell: ({ source, name }) => (
      <Link to={pages.topology(`${source}/${name}`)} row>
        {name}
      </Link>
    ),
  },
  {
    heading: "Open",
    kind: "number",
    cell: ({ source, name, open }) => <Link to={pages.letters(waitingIn(source, name))}>{showCount(open)}</Link>,
  },
  { heading: "Lately", kind: "number", cell: ({ failedLately }) => showCount(failedLately) },
  {
    heading: "Consumed by",
    label: "consumed by",
    cell: ({ consumers }) =>
      consumers
        .map(({ service, version, instances }) => `${service} ${version} (${instances || "none"} at work)`)
        .join(", ") || "nobody reports",
  },
  {
    heading: "Breakers",
    label: "breakers",
    cell: ({ breakers }) => breakers.map(({ name, state }) => `${name} ${state}`).join(", ") || "–",
  },
  {
    heading: "Dies into",
    label: "dies into",
    cell: ({ deadLetters }) => deadLetters.map(({ name, fate }) => `${name} (${fate})`).join(", ") || "not known yet",
  },
  {
    heading: "Replays go to",
    label: "replays go to",
    cell: ({ replaysTo }) => replaysTo.map(({ queue, because }) => `${queue}${becauses[because]}`).join("; "),
  },
];

function keyOf({ name }: Row): string {
  return name;
}
