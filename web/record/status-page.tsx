import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Age } from "../ui/age.tsx";
import { showCount } from "../ui/counts.ts";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { Drains } from "../watch/drains.tsx";

/** How the office itself is. */
export function StatusPage() {
  const answer = useAnswer("status.get", {});
  const drains = answer.data?.drains ?? [];
  return (
    <>
      <h1>Status</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : (
        <p>
          Version {answer.data.version} · ledger {answer.data.ledger.place}
          {answer.data.ledger.isEmbedded ? ", embedded: it survives a crash, not a power cut" : ""}
        </p>
      )}
      <h2>Drains</h2>
      <Drains drains={drains} />
      <Notifiers notifiers={answer.data?.notifiers ?? []} />
      <Freshness at={answer.at} />
    </>
  );
}

type Notifier = OutputOf<"status.get">["notifiers"][number];

const columns: readonly TableColumn<Notifier>[] = [
  { heading: "Notifier", kind: "name", cell: ({ name }) => name },
  {
    heading: "State",
    cell: ({ state, since, trouble }) => (
      <>
        <StateChip state={state} tone={trouble === null ? "good" : "bad"} /> for <Age since={since} />
      </>
    ),
  },
  { heading: "Told", kind: "number", cell: ({ told }) => showCount(told) },
  { heading: "Trouble", label: "trouble", cell: ({ trouble }) => trouble ?? "none" },
];

/** Who is told when nobody looks, and whether they can be. */
function Notifiers({ notifiers }: { readonly notifiers: readonly Notifier[] }) {
  return (
    <>
      <h2>Notifiers</h2>
      {notifiers.length === 0 ? (
        <p>
          Nobody is told when something halts or waits for approval. <code>notifiers</code> in{" "}
          <code>dlo.config.yaml</code> names who is.
        </p>
      ) : (
        <RowsTable caption="Who is told" columns={columns} rows={notifiers} keyOf={({ name }) => name} />
      )}
    </>
  );
}
