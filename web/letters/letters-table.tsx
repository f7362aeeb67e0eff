import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { Age } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { Link } from "../ui/link.tsx";

type Letter = OutputOf<"letters.list">["items"][number];

export function LettersTable({ letters }: { readonly letters: readonly Letter[] }) {
  if (letters.length === 0) return null;
  return (
    <table className="rows">
      <caption className="unseen">Letters</caption>
      <thead>
        <tr>
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
        {letters.map((letter) => (
          <LetterRow key={letter.id} letter={letter} />
        ))}
      </tbody>
    </table>
  );
}

function LetterRow({ letter }: { readonly letter: Letter }) {
  return (
    <tr>
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
