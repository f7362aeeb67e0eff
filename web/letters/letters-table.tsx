import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useHold } from "../app/live.ts";
import { pages } from "../app/routes.ts";
import { Age } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { Link } from "../ui/link.tsx";
import { type SteadyRow, useSteadyRows } from "../ui/use-steady-rows.ts";
import { WaitingRows } from "../ui/waiting-rows.tsx";
import type { LetterSelection } from "./letters-selection.tsx";

type Letter = OutputOf<"letters.list">["items"][number];

export interface LettersTableProps {
  readonly letters: readonly Letter[];
  /** Which list it is: what comes to the same one waits until it is asked for. */
  readonly list: string;
  /** Without it none can be chosen. */
  readonly selection?: LetterSelection;
}

export function LettersTable({ letters, list, selection }: LettersTableProps) {
  const steady = useSteadyRows(letters, list);
  useHold(selection !== undefined && (selection.isAll || selection.ids.size > 0));
  if (letters.length === 0) return null;
  return (
    <>
      <WaitingRows steady={steady} />
      <LettersRows rows={steady.rows} selection={selection} />
    </>
  );
}

interface LettersRowsProps {
  readonly rows: readonly SteadyRow<Letter>[];
  readonly selection: LetterSelection | undefined;
}

function LettersRows({ rows, selection }: LettersRowsProps) {
  const there = rows.filter(({ isGone }) => !isGone).map(({ row }) => row.id);
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
          <th scope="col">State</th>
          <th scope="col">Error</th>
          <th scope="col">Queue</th>
          <th scope="col">Key</th>
          <th scope="col" className="number">
            Attempts
          </th>
          <th scope="col" className="number">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ row, isGone }) => (
          <LetterRow key={row.id} letter={row} isGone={isGone} selection={selection} />
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
  readonly letter: Letter;
  readonly isGone: boolean;
  readonly selection: LetterSelection | undefined;
}

function LetterRow({ letter, isGone, selection }: LetterRowProps) {
  const isChosen = selection !== undefined && (selection.isAll || selection.ids.has(letter.id));
  return (
    <tr className={isGone ? "gone" : undefined} aria-selected={isChosen || undefined}>
      {selection === undefined ? null : (
        <td className="pick">
          <input
            type="checkbox"
            data-pick
            aria-label={`Select ${errorOf(letter)}, ${letter.id}`}
            checked={isChosen}
            onChange={() => selection.toggle(letter.id)}
          />
        </td>
      )}
      <td>{letter.state.replace("_", " ")}</td>
      <td>
        <CategoryChip category={letter.category} />{" "}
        <Link to={pages.letter(letter.id)} row>
          {errorOf(letter)}
        </Link>
      </td>
      <td>{letter.queue}</td>
      <td>{letter.key ?? ""}</td>
      <td className="number" data-label="attempts">
        {letter.attempts ?? "–"}
      </td>
      <td className="number" data-label="age">
        <Age since={letter.failedAt} />
      </td>
    </tr>
  );
}

/** In one line. */
export function errorOf({ errorClass, errorMessage }: Pick<Letter, "errorClass" | "errorMessage">): string {
  return [errorClass, errorMessage].filter((part) => part !== null).join(": ") || "no error was given";
}
