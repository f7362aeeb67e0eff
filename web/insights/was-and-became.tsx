import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { inWords, showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";

type Cell = OutputOf<"letters.matrix">["items"][number];

const ended = ["confirmed", "presumed", "suppressed", "resolved"];

/** What letters were taken for, and what their latest replay showed them to be: how good the sorting is. */
export function WasAndBecame({ days }: { readonly days: number }) {
  const answer = useAnswer("letters.matrix", { days });
  const cells = answer.data?.items ?? [];
  return (
    <section aria-labelledby="was-and-became">
      <h2 id="was-and-became">Was and became</h2>
      <Trouble answer={answer} />
      {answer.data !== null && cells.length === 0 ? (
        <p>
          No letter of that time was replayed yet. Once one is, this shows what it was taken for and what it turned out
          to be.
        </p>
      ) : null}
      {cells.length === 0 ? null : (
        <>
          <p className="figure">{sentence(cells)}</p>
          <Matrix cells={cells} days={days} />
        </>
      )}
      <CommandLine command={`dlo classify matrix --days ${days}`} />
    </section>
  );
}

/** Came back as something other than it was taken for. */
function isSurprise({ was, became }: Cell): boolean {
  return was !== became && !ended.includes(became) && isCategory(became);
}

const categories = ["transient", "schema_mismatch", "business_rule", "poison", "lost_context", "unknown"];

function isCategory(name: string): boolean {
  return categories.includes(name);
}

function sentence(cells: readonly Cell[]): string {
  const all = sum(cells);
  const surprises = sum(cells.filter(isSurprise));
  const back = sum(cells.filter(({ became }) => isCategory(became)));
  const share = all === 0 ? 0 : (100 * surprises) / all;
  return `Of ${showCount(all)} replayed letters ${showCount(back)} came back, ${showCount(surprises)} of them as something else (${share.toFixed(1)} %).`;
}

function sum(cells: readonly Cell[]): number {
  return cells.reduce((total, { n }) => total + n, 0);
}

function Matrix({ cells, days }: { readonly cells: readonly Cell[]; readonly days: number }) {
  const columns = [...new Set(cells.map(({ became }) => became))].sort(byEnding);
  const rows = categories.filter((was) => cells.some((cell) => cell.was === was));
  return (
    <table className="rows matrix">
      <caption className="unseen">On arrival, and by the latest replay</caption>
      <thead>
        <tr>
          <th scope="col">Was</th>
          {columns.map((became) => (
            <th key={became} scope="col" className="number">
              {isCategory(became) ? `back as ${inWords(became)}` : inWords(became)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((was) => (
          <MatrixRow
            key={was}
            was={was}
            days={days}
            columns={columns}
            cells={cells.filter((cell) => cell.was === was)}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Good ends first, returns last. */
function byEnding(one: string, other: string): number {
  const place = (name: string) => (ended.includes(name) ? ended.indexOf(name) : isCategory(name) ? 20 : 10);
  return place(one) - place(other) || one.localeCompare(other);
}

interface MatrixRowProps {
  readonly days: number;
  readonly was: string;
  readonly columns: readonly string[];
  readonly cells: readonly Cell[];
}

function MatrixRow({ was, days, columns, cells }: MatrixRowProps) {
  const total = sum(cells);
  return (
    <tr>
      <th scope="row">
        <CategoryChip category={was} />
      </th>
      {columns.map((became) => {
        const n = cells.find((cell) => cell.became === became)?.n ?? 0;
        const tenth = Math.ceil((10 * n) / Math.max(1, total));
        return (
          <td key={became} className={`number share-${tenth}`} data-label={inWords(became)}>
            {n === 0 ? (
              <span className="muted">·</span>
            ) : (
              <CellLink was={was} became={became} n={n} total={total} days={days} />
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** What the search language can ask for exactly; a link that found other letters than it counts would mislead. */
const searchable = [...categories, "sent", "in_doubt"];

interface CellLinkProps extends Omit<Cell, "was"> {
  readonly was: string;
  readonly total: number;
  readonly days: number;
}

function CellLink({ was, became, n, total, days }: CellLinkProps) {
  const count = showCount(n);
  return (
    <>
      {searchable.includes(became) ? (
        <Link to={pages.letters(`was:${was} outcome:${became} arrived:>=now-${days}d`)}>{count}</Link>
      ) : (
        count
      )}{" "}
      <span className="muted">{Math.round((100 * n) / total)} %</span>
    </>
  );
}
