import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Age, Ago } from "../ui/age.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { Deploys } from "./deploys.tsx";
import { Fixes } from "./fixes.tsx";

type Consumer = OutputOf<"consumers.list">["items"][number];

/** Which versions are at work, what was deployed, and what was mended: the gates that letters wait for. */
export function ConsumersPage() {
  const answer = useAnswer("consumers.list", {});
  const consumers = answer.data?.items ?? [];
  return (
    <>
      <h1>Consumers</h1>
      <Trouble answer={answer} />
      {answer.data !== null && consumers.length === 0 ? (
        <p>
          No consumer has reported itself. One with the runtime does so by <code>officeReports</code>; for any other
          record its deploys.
        </p>
      ) : null}
      {consumers.length === 0 ? null : (
        <RowsTable
          caption="Versions of services, those at work first"
          columns={columns}
          rows={consumers}
          keyOf={keyOf}
        />
      )}
      <Deploys />
      <Fixes />
      <Freshness answer={answer} />
    </>
  );
}

const columns: readonly TableColumn<Consumer>[] = [
  { heading: "Service", kind: "name", cell: ({ service }) => service },
  { heading: "Version", cell: ({ version }) => <code>{version}</code> },
  { heading: "Queue", cell: ({ source, queue }) => `${source}/${queue}` },
  {
    heading: "State",
    cell: ({ instances }) => (
      <StateChip state={instances === 0 ? "gone" : `${instances} at work`} tone={instances === 0 ? "idle" : "good"} />
    ),
  },
  { heading: "Since", kind: "number", cell: ({ firstSeenAt }) => <Age since={firstSeenAt} /> },
  {
    heading: "Heard",
    kind: "number",
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? "long ago" : <Ago since={lastSeenAt} />),
  },
  {
    heading: "Understands",
    label: "understands",
    cell: ({ schemas }) => schemas.map(({ name, versions }) => `${name} ${versions.join(", ")}`).join(" · ") || "–",
  },
];

function keyOf({ source, queue, service, version }: Consumer): string {
  return JSON.stringify([source, queue, service, version]);
}
