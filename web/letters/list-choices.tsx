import {
  columnsIn,
  type LetterColumn,
  type LetterSort,
  letterColumns,
  letterSorts,
  usualColumns,
} from "../../src/domain/letter-columns.ts";
import { goTo, type LetterList, pages } from "../app/routes.ts";
import { columnNames } from "./letter-cells.tsx";

/** As lists have them unless somebody chose. */
const usualSort: LetterSort = "-arrived";

const sortNames: Readonly<Record<LetterSort, string>> = {
  ...{ "-arrived": "last to arrive first", arrived: "first to arrive first" },
  ...{ "-age": "oldest first", age: "youngest first" },
};

/** As the address has it; what it has wrong is as lists have it. */
export function sortOf({ sort }: Pick<LetterList, "sort">): LetterSort {
  return letterSorts.find((each) => each === sort) ?? usualSort;
}

/** For an address, a view or a command; null where nobody chose. */
export function chosenSort({ sort }: { readonly sort: string | null }): LetterSort | null {
  return letterSorts.find((each) => each === sort && each !== usualSort) ?? null;
}

export function isOldestFirst(list: Pick<LetterList, "sort">): boolean {
  const sort = sortOf(list);
  return sort === "arrived" || sort === "-age";
}

interface ListChoicesProps {
  readonly q: string;
  readonly list: LetterList;
}

/** In which order, and what of each letter: in the address, so that a link and a view keep it. */
export function ListChoices({ q, list }: ListChoicesProps) {
  const shown = columnsIn(list.cols);
  const show = (part: Partial<LetterList>) => goTo(pages.letters(q, null, { ...list, ...part }), "replace");
  const choose = (column: LetterColumn, isShown: boolean) => {
    const chosen = letterColumns.filter((each) => (each === column ? isShown : shown.includes(each)));
    show({ cols: isUsual(chosen) ? "" : chosen.join(",") });
  };
  return (
    <div className="list-choices">
      <label>
        Order{" "}
        <select
          value={sortOf(list)}
          onChange={({ target }) => show({ sort: chosenSort({ sort: target.value }) ?? "" })}
        >
          {letterSorts.map((sort) => (
            <option key={sort} value={sort}>
              {sortNames[sort]}
            </option>
          ))}
        </select>
      </label>
      <details>
        <summary>Columns</summary>
        <fieldset>
          <legend className="unseen">What is shown of each letter</legend>
          {letterColumns.map((column) => (
            <label key={column}>
              <input
                type="checkbox"
                checked={shown.includes(column)}
                // The error leads to its letter: without it there is nothing to open.
                disabled={column === "error"}
                onChange={({ target }) => choose(column, target.checked)}
              />{" "}
              {columnNames[column]}
            </label>
          ))}
        </fieldset>
      </details>
    </div>
  );
}

function isUsual(columns: readonly LetterColumn[]): boolean {
  return columns.join() === usualColumns.join();
}
