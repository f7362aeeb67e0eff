import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { shown } from "./time-to-clear.tsx";

type Delay = OutputOf<"insights.get">["returns"][number];

const columns: readonly TableColumn<Delay>[] = [
  {
    ...{ heading: "Queue", kind: "name" },
    cell: ({ source, queue }) => <Link to={pages.queue(source, queue)}>{queue}</Link>,
  },
  { heading: "Came back", kind: "number", cell: ({ returns }) => showCount(returns) },
  { heading: "Half within", kind: "number", cell: ({ p50S }) => shown(p50S) },
  { heading: "90 %", kind: "number", cell: ({ p90S }) => shown(p90S) },
  { heading: "99 %", kind: "number", cell: ({ p99S }) => shown(p99S) },
  { heading: "Window", kind: "number", cell: ({ window: { inForceS } }) => shown(inForceS) },
  { heading: "What that says", cell: ({ sentence }) => sentence },
];

/** How long a replay that went wrong takes to show it, beside how long replays wait for that. */
export function ReturnDelay({ returns }: { readonly returns: readonly Delay[] }) {
  return (
    <section aria-labelledby="return-delay">
      <h2 id="return-delay">Return delay</h2>
      {returns.length === 0 ? (
        <p>
          No letter came back to any queue in that time. Once some do, this says how long that takes, and whether
          replays wait long enough to see it.
        </p>
      ) : (
        <RowsTable
          caption="How long letters take to come back, by queue"
          columns={columns}
          rows={returns}
          keyOf={({ source, queue }) => `${source}/${queue}`}
        />
      )}
    </section>
  );
}
