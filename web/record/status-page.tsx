import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Lasting } from "../ui/age.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { Drains } from "../watch/drains.tsx";

type Status = OutputOf<"status.get">;

/** How the office itself is. */
export function StatusPage() {
  const answer = useAnswer("status.get", {});
  return (
    <>
      <h1>Status</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : <WholeStatus status={answer.data} />}
      <Freshness answer={answer} />
    </>
  );
}

function WholeStatus({ status }: { readonly status: Status }) {
  const { version, ledger, drains, reports, replays, notifiers, processes } = status;
  return (
    <>
      <p role="status">{troubleOf(status)}</p>
      <p>
        Version {version} · ledger {ledger.place}
        {ledger.isEmbedded ? ", embedded: it survives a crash, not a power cut" : ""}
      </p>
      <h2>Drains</h2>
      <Drains drains={drains} />
      <h2>Replays it leads</h2>
      {replays.length === 0 ? (
        <p>None is under way here.</p>
      ) : (
        <RowsTable caption="Replays that are led" columns={led} rows={replays} keyOf={({ replay }) => replay} />
      )}
      <h2>Reports of consumers</h2>
      {reports.length === 0 ? (
        <p>Nobody is listened to: outcomes of what is sent are presumed at best.</p>
      ) : (
        <RowsTable caption="Whose reports are read" columns={heard} rows={reports} keyOf={({ source }) => source} />
      )}
      <Notifiers notifiers={notifiers} />
      <h2>Processes</h2>
      <RowsTable caption="Processes of this office" columns={running} rows={processes} keyOf={({ id }) => id} />
    </>
  );
}

/** What is wrong, before everything that is not. */
function troubleOf({ drains, reports, replays, notifiers }: Status): string {
  const troubled = [
    ...drains.map(({ source, queue, trouble }) => ({ name: `draining ${source}/${queue}`, trouble })),
    ...replays.map(({ replay, trouble }) => ({ name: `leading ${replay}`, trouble })),
    ...reports.map(({ source, trouble }) => ({ name: `reading reports of ${source}`, trouble })),
    ...notifiers.map(({ name, trouble }) => ({ name: `telling ${name}`, trouble })),
  ].filter(({ trouble }) => trouble !== null);
  if (troubled.length === 0) return "Nothing troubles it.";
  return `Trouble with ${troubled.map(({ name }) => name).join(", ")}.`;
}

interface Work {
  readonly state: string;
  readonly since: string;
  readonly trouble: string | null;
}

function WorkState({ work: { state, since, trouble } }: { readonly work: Work }) {
  return (
    <>
      <StateChip state={state} tone={trouble === null ? "good" : "bad"} /> for <Lasting since={since} />
    </>
  );
}

const stands = { heading: "State", cell: (work: Work) => <WorkState work={work} /> };
const troubles = { heading: "Trouble", label: "trouble", cell: ({ trouble }: Work) => trouble ?? "none" };

const led: readonly TableColumn<Status["replays"][number]>[] = [
  { heading: "Replay", cell: ({ replay }) => <Link to={pages.replay(replay)}>{replay}</Link> },
  stands,
  troubles,
];

const heard: readonly TableColumn<Status["reports"][number]>[] = [
  { heading: "Source", kind: "name", cell: ({ source }) => source },
  stands,
  { heading: "Read", kind: "number", cell: ({ taken }) => showCount(taken) },
  troubles,
];

const running: readonly TableColumn<Status["processes"][number]>[] = [
  { heading: "Process", cell: ({ id }) => <code>{id.slice(0, 13)}</code> },
  { heading: "Version", label: "version", cell: ({ version }) => version },
  { heading: "Does", label: "does", cell: ({ duties }) => duties.join(", ") },
  { heading: "Up for", kind: "number", cell: ({ startedAt }) => <Lasting since={startedAt} /> },
];

type Notifier = Status["notifiers"][number];

const columns: readonly TableColumn<Notifier>[] = [
  { heading: "Notifier", kind: "name", cell: ({ name }) => name },
  stands,
  { heading: "Told", kind: "number", cell: ({ told }) => showCount(told) },
  troubles,
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
