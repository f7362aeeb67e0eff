import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Lasting } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { Drains } from "../watch/drains.tsx";
import { doneBy, ProcessName, TroubleOf } from "../watch/work-cells.tsx";
import { LedgerStatus } from "./ledger-status.tsx";

type Status = OutputOf<"status.get">;

/** How the office itself is, in all of its processes. */
export function StatusPage() {
  const answer = useAnswer("status.get", {});
  // Not for those to whom only some queues are shown.
  const ledger = useAnswer("status.ledger", {});
  return (
    <>
      <h1>Status</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : <WholeStatus status={answer.data} kept={ledger.data} />}
      <Freshness answer={answer} />
    </>
  );
}

interface WholeStatusProps {
  readonly status: Status;
  /** Null while it is not known, or not shown. */
  readonly kept: OutputOf<"status.ledger"> | null;
}

function WholeStatus({ status, kept }: WholeStatusProps) {
  const { version, ledger, drains, reports, replays, notifiers, chores, processes, troubles } = status;
  const by = doneBy(processes);
  const ofLedger = (kept?.troubles ?? []).map((each) => ({ ...each, since: null }));
  return (
    <>
      <Troubles troubles={[...troubles, ...ofLedger]} />
      <p>
        Version {version} · ledger {ledger.place}
        {ledger.isEmbedded ? ", embedded: it survives a crash, not a power cut" : ""}
      </p>
      <CommandLine command="dlo status" />
      <h2>Processes</h2>
      <RowsTable caption="Processes of this office" columns={running} rows={processes} keyOf={({ id }) => id} />
      {kept === null ? null : <LedgerStatus status={kept} />}
      <h2>Drains</h2>
      <Drains drains={drains} processes={processes} />
      <h2>Replays that are led</h2>
      {replays.length === 0 ? (
        <p>None is under way.</p>
      ) : (
        <RowsTable caption="Replays that are led" columns={[...led, by]} rows={replays} keyOf={keyed("replay")} />
      )}
      <h2>Reports of consumers</h2>
      {reports.length === 0 ? (
        <p>Nobody is listened to: outcomes of what is sent are presumed at best.</p>
      ) : (
        <RowsTable caption="Whose reports are read" columns={[...heard, by]} rows={reports} keyOf={keyed("source")} />
      )}
      <Notifiers notifiers={notifiers} by={by} />
      {chores.length === 0 ? null : (
        <>
          <h2>Chores</h2>
          <RowsTable
            caption="What is done for all letters"
            columns={[...done, by]}
            rows={chores}
            keyOf={keyed("name")}
          />
        </>
      )}
    </>
  );
}

/** Several processes may do the same. */
function keyed<Key extends string>(key: Key) {
  return (row: Readonly<Record<Key, string>> & { readonly process: string | null }) => `${row.process} ${row[key]}`;
}

/** What is wrong, before everything that is not, each with the way out. */
function Troubles({ troubles }: Pick<Status, "troubles">) {
  if (troubles.length === 0) return <p role="status">Nothing troubles it.</p>;
  return (
    <section aria-labelledby="troubles" role="status">
      <h2 id="troubles">What troubles it</h2>
      <ul>
        {troubles.map(({ code, sentence, change, since }) => (
          <li key={`${code} ${sentence}`}>
            <b>{sentence}</b> {since === null ? null : <Since since={since} />}
            <br />
            {change}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Since({ since }: { readonly since: string }) {
  return (
    <span className="muted">
      (for <Lasting since={since} />)
    </span>
  );
}

type Work = Pick<Status["drains"][number], "process" | "since" | "trouble" | "lastTrouble"> & {
  readonly state: string;
};

function WorkState({ work: { state, since, trouble } }: { readonly work: Work }) {
  return (
    <>
      <StateChip state={state} tone={trouble === null ? "good" : "bad"} /> for <Lasting since={since} />
    </>
  );
}

const stands = { heading: "State", cell: (work: Work) => <WorkState work={work} /> };
const hindrances = { heading: "Trouble", label: "trouble", cell: (work: Work) => <TroubleOf work={work} /> };

const led: readonly TableColumn<Status["replays"][number]>[] = [
  {
    heading: "Replay",
    cell: ({ replay }) => (replay.startsWith("rpl_") ? <Link to={pages.replay(replay)}>{replay}</Link> : replay),
  },
  stands,
  hindrances,
];

const heard: readonly TableColumn<Status["reports"][number]>[] = [
  { heading: "Source", kind: "name", cell: ({ source }) => source },
  stands,
  { heading: "Read", kind: "number", cell: ({ taken }) => showCount(taken) },
  hindrances,
];

const done: readonly TableColumn<Status["chores"][number]>[] = [
  { heading: "Chore", kind: "name", cell: ({ name }) => name },
  stands,
  hindrances,
];

type Process = Status["processes"][number];

const running: readonly TableColumn<Process>[] = [
  { heading: "Process", kind: "name", cell: (process) => <ProcessName process={process} /> },
  { heading: "State", cell: (process) => <Life process={process} /> },
  { heading: "Does", label: "does", cell: ({ duties }) => duties.join(", ") },
  { heading: "Version", label: "version", cell: ({ version, schema }) => `${version}, schema ${schema}` },
  { heading: "Clock", label: "clock", cell: ({ clockAheadMs }) => clockText(clockAheadMs) },
  { heading: "Follow live", kind: "number", cell: ({ followers }) => showCount(followers) },
];

function Life({ process: { lives, startedAt, heardAt } }: { readonly process: Process }) {
  if (lives)
    return (
      <>
        <StateChip state="lives" tone="good" /> for <Lasting since={startedAt} />
      </>
    );
  return (
    <>
      <StateChip state="silent" tone="bad" /> for <Lasting since={heardAt ?? startedAt} />
    </>
  );
}

/** Against the database's. Less than a tenth of a second is as well the way there. */
function clockText(aheadMs: number | null): string {
  if (aheadMs === null) return "not compared yet";
  if (Math.abs(aheadMs) < 100) return "right";
  return `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? "ahead" : "behind"}`;
}

type Notifier = Status["notifiers"][number];

const columns: readonly TableColumn<Notifier>[] = [
  { heading: "Notifier", kind: "name", cell: ({ name }) => name },
  stands,
  { heading: "Told", kind: "number", cell: ({ told }) => showCount(told) },
  hindrances,
];

interface NotifiersProps {
  readonly notifiers: readonly Notifier[];
  readonly by: TableColumn<Notifier>;
}

/** Who is told when nobody looks, and whether they can be. */
function Notifiers({ notifiers, by }: NotifiersProps) {
  return (
    <>
      <h2>Notifiers</h2>
      {notifiers.length === 0 ? (
        <p>
          Nobody is told when something halts or waits for approval. <code>notifiers</code> in{" "}
          <code>dlo.config.yaml</code> names who is.
        </p>
      ) : (
        <RowsTable caption="Who is told" columns={[...columns, by]} rows={notifiers} keyOf={keyed("name")} />
      )}
    </>
  );
}
