import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { inWords, showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";

type Cell = OutputOf<"letters.matrix">["items"][number];

const ended = ["confirmed", "presumed", "suppressed", "resolved"];

/** What letters were taken for, and what their latest replay showed them to be: how good the sorting is. */
export function InsightsPage() {
  const answer = useAnswer("letters.matrix", {});
  const cells = answer.data?.items ?? [];
  return (
    <>
      <h1>Was and became</h1>
      <Trouble answer={answer} />
      {answer.data !== null && cells.length === 0 ? <p>No letter was replayed yet.</p> : null}
      {cells.length === 0 ? null : (
        <>
          <p className="figure">{sentence(cells)}</p>
          <Matrix cells={cells} />
        </>
      )}
      <CommandLine command="dlo classify matrix" />
      <Freshness answer={answer} />
    </>
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

function Matrix({ cells }: { readonly cells: readonly Cell[] }) {
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
          <MatrixRow key={was} was={was} columns={columns} cells={cells.filter((cell) => cell.was === was)} />
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
  readonly was: string;
  readonly columns: readonly string[];
  readonly cells: readonly Cell[];
}

function MatrixRow({ was, columns, cells }: MatrixRowProps) {
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
            {n === 0 ? <span className="muted">·</span> : <CellLink was={was} became={became} n={n} total={total} />}
          </td>
        );
      })}
    </tr>
  );
}

/** What the search language can ask for exactly; a link that found other letters than it counts would mislead. */
const searchable = [...categories, "sent", "in_doubt"];

function CellLink({ was, became, n, total }: Omit<Cell, "was"> & { readonly was: string; readonly total: number }) {
  const count = showCount(n);
  return (
    <>
      {searchable.includes(became) ? <Link to={pages.letters(`was:${was} outcome:${became}`)}>{count}</Link> : count}{" "}
      <span className="muted">{Math.round((100 * n) / total)} %</span>
    </>
  );
}
