import { pages } from "../app/routes.ts";
import { term } from "../letters/search-terms.ts";
import { CategoryChip } from "../ui/category-chip.tsx";
import { inWords, showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { openStates, type QueueRow } from "./queue-rows.ts";

/** The letters of a queue by category and state, the open ones first. Each figure leads to exactly so many. */
export function QueueLetters({ row }: { readonly row: QueueRow }) {
  const { counts } = row;
  const states = [...new Set([...openStates, ...counts.map(({ state }) => state)])];
  const shown = states.filter((state) => counts.some((each) => each.state === state));
  const categories = [...new Set(counts.map(({ category }) => category))];
  return (
    <>
      <h2>Letters</h2>
      <RowsTable
        caption="Letters of this queue by category and state"
        columns={[categoryColumn, ...shown.map((state) => columnOf(row, state))]}
        rows={categories}
        keyOf={(category) => category}
      />
    </>
  );
}

const categoryColumn: TableColumn<string> = {
  heading: "Category",
  kind: "name",
  cell: (category) => <CategoryChip category={category} />,
};

function columnOf({ source, queue, counts }: QueueRow, state: string): TableColumn<string> {
  return {
    heading: inWords(state),
    kind: "number",
    cell: (category) => {
      const n = counts.find((each) => each.state === state && each.category === category)?.n;
      if (n === undefined) return "–";
      const terms = { source, queue, category, state };
      const q = Object.entries(terms).map(([field, value]) => term(field, value));
      return <Link to={pages.letters(q.join(" "))}>{showCount(n)}</Link>;
    },
  };
}
