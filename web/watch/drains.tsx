import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Lasting } from "../ui/age.tsx";
import { showCount } from "../ui/counts.ts";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { doneBy, TroubleOf } from "./work-cells.tsx";

type Status = OutputOf<"status.get">;
type Drain = Status["drains"][number];

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
  { heading: "Trouble", label: "trouble", cell: (drain) => <TroubleOf work={drain} /> },
];

interface DrainsProps {
  readonly drains: readonly Drain[];
  /** Where it matters which of them drains what. @default it does not */
  readonly processes?: Status["processes"];
}

/** What is being taken in, and what keeps it from being. */
export function Drains({ drains, processes = [] }: DrainsProps) {
  if (drains.length === 0)
    return (
      <p>
        The configuration asks for no queue to be drained. <code>mode: drain</code> in <code>dlo.config.yaml</code>{" "}
        does.
      </p>
    );
  const keyOf = ({ process, source, queue }: Drain) => `${process} ${source}/${queue}`;
  const shown = processes.length === 0 ? columns : [...columns, doneBy(processes)];
  return <RowsTable caption="Dead-letter queues that are drained" columns={shown} rows={drains} keyOf={keyOf} />;
}
