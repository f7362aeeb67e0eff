import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Lasting } from "../ui/age.tsx";
import { showCount } from "../ui/counts.ts";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";

type Drain = OutputOf<"status.get">["drains"][number];

const columns: readonly TableColumn<Drain>[] = [
  { heading: "Dead-letter queue", cell: ({ source, queue }) => `${source}/${queue}` },
  {
    heading: "State",
    cell: ({ state, since, trouble }) => (
      <>
        <StateChip state={state} tone={trouble === null ? "good" : "bad"} /> for <Lasting since={since} />
      </>
    ),
  },
  { heading: "Taken in", kind: "number", cell: ({ held }) => showCount(held) },
  { heading: "Trouble", label: "trouble", cell: ({ trouble }) => trouble ?? "none" },
];

/** What is being taken in, and what keeps it from being. */
export function Drains({ drains }: { readonly drains: readonly Drain[] }) {
  if (drains.length === 0)
    return (
      <p>
        The configuration asks for no queue to be drained. <code>mode: drain</code> in <code>dlo.config.yaml</code>{" "}
        does.
      </p>
    );
  const keyOf = ({ source, queue }: Drain) => `${source}/${queue}`;
  return <RowsTable caption="Dead-letter queues that are drained" columns={columns} rows={drains} keyOf={keyOf} />;
}
