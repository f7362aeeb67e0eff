import { showAge } from "../../src/domain/duration.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { officeNow } from "../app/office-clock.ts";
import { Ago } from "../ui/age.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { breakerTones } from "./breaker-tones.ts";
import "./breaker-history.css";

type Transition = NonNullable<OutputOf<"breakers.get">["shared"]>["transitions"][number];

const width = 1_000;
const height = 12;
/** So that a moment is seen beside a day. */
const leastWide = 3;

/** The lanes from top to bottom, each with its colour. */
const lanes = [
  { state: "open", tone: "bad" },
  { state: "half-open", tone: "doubt" },
  { state: "closed", tone: "good" },
] as const;

/** How a breaker changed lately, drawn and in words. */
export function BreakerHistory({ transitions }: { readonly transitions: readonly Transition[] }) {
  const [first] = transitions;
  return (
    <>
      <h2>Lately</h2>
      {first === undefined ? (
        <p>It has never changed: it is closed since it was made.</p>
      ) : (
        <>
          <Lanes transitions={transitions} begunAt={first.at} />
          <RowsTable
            caption="Changes of this breaker, newest first"
            columns={columns}
            rows={transitions.toReversed()}
            keyOf={(each) => JSON.stringify(each)}
          />
        </>
      )}
    </>
  );
}

interface LanesProps {
  readonly transitions: readonly Transition[];
  /** When the first of them was. */
  readonly begunAt: string;
}

function Lanes({ transitions, begunAt }: LanesProps) {
  const begun = Date.parse(begunAt);
  const now = Math.max(officeNow(), begun + 1);
  const spans = transitions.map(({ to, at }, index) => ({
    ...{ state: to, from: Date.parse(at), until: Date.parse(transitions[index + 1]?.at ?? "") || now },
  }));
  const x = (at: number) => ((at - begun) / (now - begun)) * width;
  return (
    <figure className="lanes">
      {lanes.map(({ state, tone }) => {
        const own = spans.filter((span) => span.state === state);
        const lasted = own.reduce((sum, { from, until }) => sum + until - from, 0);
        const path = own.map(
          ({ from, until }) => `M${x(from)} 0h${Math.max(leastWide, x(until) - x(from))}v${height}H${x(from)}z`,
        );
        return (
          <div key={state}>
            <span>{state}</span>
            <svg className="bar-of" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
              <path className={tone} d={path.join("")} />
            </svg>
            <span className="muted">{own.length === 0 ? "never" : showAge(lasted)}</span>
          </div>
        );
      })}
      <figcaption className="muted">
        From the first change that is remembered, <Ago since={begunAt} />, to now.
      </figcaption>
    </figure>
  );
}

const columns: readonly TableColumn<Transition>[] = [
  {
    heading: "When",
    cell: ({ at }) => <Ago since={at} />,
  },
  { heading: "Became", cell: ({ to }) => <StateChip state={to} tone={breakerTones[to]} /> },
  { heading: "Was", label: "was", cell: ({ from }) => from },
  { heading: "Because", label: "because", cell: ({ because }) => because },
];
