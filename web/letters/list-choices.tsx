import {
  columnsIn,
  type LetterColumn,
  type LetterSort,
  letterColumns,
  usualColumns,
} from "../../src/domain/letter-columns.ts";
import { goTo, type LetterList, pages } from "../app/routes.ts";
import { columnNames } from "./letter-cells.tsx";

/** As the address has it; what it has wrong is as lists have it. */
export function sortOf({ sort }: LetterList): LetterSort {
  return sort === "arrived" ? sort : "-arrived";
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
          onChange={({ target }) => show({ sort: target.value === "arrived" ? "arrived" : "" })}
        >
          <option value="-arrived">newest first</option>
          <option value="arrived">oldest first</option>
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
