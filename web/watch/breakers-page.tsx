import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { waitingIn } from "../letters/search-terms.ts";
import { Age } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { breakerTones } from "./breaker-tones.ts";
import { SteerBreaker } from "./steer-breaker.tsx";

type Breaker = OutputOf<"breakers.list">["items"][number];

/** Whether what letters failed for want of is back: whether they may go. */
export function BreakersPage() {
  const answer = useAnswer("breakers.list", {}, 5_000);
  const breakers = answer.data?.items ?? [];
  return (
    <>
      <h1>Breakers</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : <p role="status">{summaryOf(breakers)}</p>}
      {breakers.length === 0 ? null : (
        <RowsTable
          caption="Breakers, open ones first"
          columns={columnsOf(answer.reload)}
          rows={breakers}
          keyOf={keyOf}
        />
      )}
      <p className="muted">
        Consumers report them with their heartbeats. While one is open no letter is sent to its queue; while it is
        half-open letters go as trials. One whose state its processes share, in PostgreSQL or Redis, can be opened here
        for a time; there is no way to force one closed.
      </p>
      <CommandLine command="dlo breakers" />
      <Freshness answer={answer} />
    </>
  );
}

function summaryOf(breakers: readonly Breaker[]): string {
  const open = breakers.filter(({ state }) => state !== "closed").length;
  if (breakers.length === 0) return "No consumer has reported a breaker.";
  if (open > 0) return `${open} of ${breakers.length} ${open === 1 ? "is" : "are"} not closed.`;
  return breakers.length === 1 ? "It is closed." : `All ${breakers.length} are closed.`;
}

function columnsOf(onChange: () => void): readonly TableColumn<Breaker>[] {
  return [...columns, { heading: "Change", cell: (breaker) => <SteerBreaker breaker={breaker} onChange={onChange} /> }];
}

const columns: readonly TableColumn<Breaker>[] = [
  { heading: "State", cell: ({ state }) => <StateChip state={state} tone={breakerTones[state]} /> },
  { heading: "Dependency", kind: "name", cell: ({ name }) => name },
  {
    heading: "Queue, and what waits there",
    cell: ({ source, queue }) => <Link to={pages.letters(waitingIn(source, queue))}>{`${source}/${queue}`}</Link>,
  },
  { heading: "Service", label: "service", cell: ({ service }) => service },
  { heading: "Since", kind: "number", cell: ({ since }) => <Age since={since} /> },
  {
    heading: "Heard",
    kind: "number",
    cell: ({ heardAt }) => (
      <>
        <Age since={heardAt} /> ago
      </>
    ),
  },
  {
    heading: "Processes",
    cell: whoSaysSo,
  },
];

function whoSaysSo({ saying, processes }: Breaker): string {
  if (saying < processes) return `${saying} of ${processes} say so, the others disagree`;
  return processes === 1 ? "it says so" : `all ${processes} say so`;
}

function keyOf({ source, queue, name, service }: Breaker): string {
  return JSON.stringify([source, queue, name, service]);
}
