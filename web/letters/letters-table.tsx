import { type LetterColumn, usualColumns } from "../../src/domain/letter-columns.ts";
import { useHold } from "../app/live.ts";
import { usePlace } from "../app/routes.ts";
import { PeekButton } from "../ui/peek-button.tsx";
import { type SteadyRow, useSteadyRows } from "../ui/use-steady-rows.ts";
import { WaitingRows } from "../ui/waiting-rows.tsx";
import { columnNames, errorOf, isFigure, type ListedLetter, labelOf, letterCells } from "./letter-cells.tsx";
import { type LetterSelection, useSelectionKeys } from "./use-selection.ts";

export interface LettersTableProps {
  readonly letters: readonly ListedLetter[];
  /** Which list it is: what comes to the same one waits until it is asked for. */
  readonly list: string;
  /** What is shown of each. @default the usual */
  readonly columns?: readonly LetterColumn[];
  /** Without it none can be chosen. */
  readonly selection?: LetterSelection;
}

export function LettersTable({ letters, list, columns = usualColumns, selection }: LettersTableProps) {
  const steady = useSteadyRows(letters, list);
  useHold(selection !== undefined && (selection.isAll || selection.ids.size > 0));
  if (letters.length === 0) return null;
  return (
    <>
      <WaitingRows steady={steady} />
      <LettersRows rows={steady.rows} columns={columns} selection={selection} />
    </>
  );
}

interface LettersRowsProps {
  readonly rows: readonly SteadyRow<ListedLetter>[];
  readonly columns: readonly LetterColumn[];
  readonly selection: LetterSelection | undefined;
}

function LettersRows({ rows, columns, selection }: LettersRowsProps) {
  const peeked = usePlace().query.get("peek");
  const there = rows.filter(({ isGone }) => !isGone).map(({ row }) => row.id);
  useSelectionKeys(there, selection);
  return (
    <table className="rows">
      <caption className="unseen">Letters</caption>
      <thead>
        <tr>
          {selection === undefined ? null : (
            <th scope="col">
              <SelectPage ids={there} selection={selection} />
            </th>
          )}
          {columns.map((column) => (
            <th key={column} scope="col" className={isFigure(column) ? "number" : undefined}>
              {columnNames[column]}
            </th>
          ))}
          <th scope="col" className="more">
            <span className="unseen">Look beside the list</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ row, isGone }) => (
          <LetterRow
            key={row.id}
            letter={row}
            columns={columns}
            isGone={isGone}
            isPeeked={row.id === peeked}
            shown={there}
            selection={selection}
          />
        ))}
      </tbody>
    </table>
  );
}

interface SelectPageProps {
  readonly ids: readonly string[];
  readonly selection: LetterSelection;
}

function SelectPage({ ids, selection }: SelectPageProps) {
  const isChosen = selection.isAll || ids.every((id) => selection.ids.has(id));
  return (
    <input
      type="checkbox"
      aria-label={`Select ${ids.length} on this page`}
      checked={isChosen}
      onChange={() => (isChosen ? selection.clear() : selection.choose(ids))}
    />
  );
}

interface LetterRowProps {
  readonly letter: ListedLetter;
  readonly columns: readonly LetterColumn[];
  readonly isGone: boolean;
  /** It is looked at beside the list. */
  readonly isPeeked: boolean;
  /** All that the list shows, in its order. */
  readonly shown: readonly string[];
  readonly selection: LetterSelection | undefined;
}

function LetterRow({ letter, columns, isGone, isPeeked, shown, selection }: LetterRowProps) {
  const isChosen = selection !== undefined && (selection.isAll || selection.ids.has(letter.id));
  return (
    <tr
      className={isGone ? "gone" : undefined}
      data-id={letter.id}
      aria-selected={isChosen || undefined}
      aria-current={isPeeked || undefined}
    >
      {selection === undefined ? null : (
        <td className="pick">
          <input
            type="checkbox"
            data-pick
            aria-label={`Select ${errorOf(letter)}, ${letter.id}`}
            checked={isChosen}
            onChange={({ nativeEvent }) =>
              nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
                ? selection.extend(letter.id, shown)
                : selection.toggle(letter.id)
            }
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column} className={isFigure(column) ? "number" : undefined} data-label={labelOf(column)}>
          {letterCells[column](letter)}
        </td>
      ))}
      <td className="more">
        <PeekButton id={letter.id} what={errorOf(letter)} />
      </td>
    </tr>
  );
}
