import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { waitingIn } from "../letters/search-terms.ts";
import { Age, Ago } from "../ui/age.tsx";
import { Link } from "../ui/link.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { breakerTones } from "./breaker-tones.ts";
import { SteerBreaker } from "./steer-breaker.tsx";

type Breaker = OutputOf<"breakers.list">["items"][number];

interface BreakersTableProps {
  readonly breakers: readonly Breaker[];
  readonly onChange: () => void;
}

/** Breakers as consumers report them, and what may be done to each. */
export function BreakersTable({ breakers, onChange }: BreakersTableProps) {
  return <RowsTable caption="Breakers, open ones first" columns={columnsOf(onChange)} rows={breakers} keyOf={keyOf} />;
}

function columnsOf(onChange: () => void): readonly TableColumn<Breaker>[] {
  return [...columns, { heading: "Change", cell: (breaker) => <SteerBreaker breaker={breaker} onChange={onChange} /> }];
}

const columns: readonly TableColumn<Breaker>[] = [
  { heading: "State", cell: ({ state }) => <StateChip state={state} tone={breakerTones[state]} /> },
  { heading: "Dependency", kind: "name", cell: ({ name }) => <Link to={pages.breaker(name)}>{name}</Link> },
  {
    heading: "Queue, and what waits there",
    cell: ({ source, queue }) => <Link to={pages.letters(waitingIn(source, queue))}>{`${source}/${queue}`}</Link>,
  },
  { heading: "Service", label: "service", cell: ({ service }) => service },
  { heading: "Since", kind: "number", cell: ({ since }) => <Age since={since} /> },
  {
    heading: "Heard",
    kind: "number",
    cell: ({ heardAt }) => <Ago since={heardAt} />,
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
