import { showRemaining } from "../../src/domain/duration.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { CategoryChip } from "../ui/category-chip.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";

type Cleared = OutputOf<"insights.get">["cleared"]["items"][number];

interface TimeToClearProps {
  readonly items: readonly Cleared[];
  readonly days: number;
  /** Whether they are all there are: only then does a search find as many. */
  readonly isExact: boolean;
}

const ways = ["resolved", "dropped", "compensated", "escalated"] as const;

/** How long letters of each category waited to be decided, and how they were. */
export function TimeToClear({ items, days, isExact }: TimeToClearProps) {
  const columns: readonly TableColumn<Cleared>[] = [
    { heading: "Category", kind: "name", cell: ({ category }) => <CategoryChip category={category} /> },
    { heading: "Median", kind: "number", cell: ({ medianS }) => shown(medianS) },
    { heading: "90 %", kind: "number", cell: ({ p90S }) => shown(p90S) },
    ...ways.map((way) => ({
      heading: way[0]?.toUpperCase() + way.slice(1),
      kind: "number" as const,
      cell: (each: Cleared) => (
        <Figure of={each} n={each[way]} q={isExact ? `state:${way} arrived:>=now-${days}d` : null} />
      ),
    })),
    {
      ...{ heading: "Waiting", kind: "number" },
      cell: (each) => <Figure of={each} n={each.open} q={isExact ? `is:inbox arrived:>=now-${days}d` : null} />,
    },
  ];
  return (
    <section aria-labelledby="time-to-clear">
      <h2 id="time-to-clear">Time to clear</h2>
      {items.length === 0 ? (
        <p>Once letters arrive, this says how long those of each category wait until they are decided, and how.</p>
      ) : (
        <>
          <p>
            From a letter's arrival here until it was decided: half of them within the median, nine of ten within the
            next. Those that still wait are not in these times.
          </p>
          <RowsTable
            caption="Time to clear, by category"
            columns={columns}
            rows={items}
            keyOf={({ category }) => category}
          />
        </>
      )}
    </section>
  );
}

interface FigureProps {
  readonly of: Cleared;
  readonly n: number;
  readonly q: string | null;
}

function Figure({ of: { category, letters }, n, q }: FigureProps) {
  if (n === 0) return <span className="muted">·</span>;
  const count = showCount(n);
  return (
    <>
      {q === null ? count : <Link to={pages.letters(`category:${category} ${q}`)}>{count}</Link>}{" "}
      <span className="muted">{Math.round((100 * n) / letters)} %</span>
    </>
  );
}

const hourS = 3_600;
const dayS = 86_400;

/** `45 s`, `6 min`, `7.5 h`, `3.2 d`. */
export function shown(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 2 * hourS) return showRemaining(seconds * 1_000);
  return seconds < 2 * dayS ? `${(seconds / hourS).toFixed(1)} h` : `${(seconds / dayS).toFixed(1)} d`;
}
