import { type LetterList, pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { asksForReplay, termsOf, withoutTerm } from "./search-terms.ts";

interface NothingMatchesProps {
  readonly q: string;
  readonly list: LetterList;
}

/** Which part of a search is too much: what it would find without each. */
export function NothingMatches({ q, list }: NothingMatchesProps) {
  const terms = termsOf(q);
  return (
    <>
      <p>{q === "" ? "There are no letters." : `No letters match: ${q}.`}</p>
      {terms.length < 2 ? null : (
        <ul>
          {terms.map((term) => (
            <Without key={term} term={term} rest={withoutTerm(q, term)} list={list} />
          ))}
        </ul>
      )}
    </>
  );
}

interface WithoutProps {
  readonly term: string;
  readonly rest: string;
  readonly list: LetterList;
}

function Without({ term, rest, list }: WithoutProps) {
  return (
    <li>
      Without <Link to={pages.letters(rest, null, list)}>{term}</Link>
      {/* Each answer would judge every letter: it is asked for by the link alone. */}
      {asksForReplay(rest) ? null : <HowMany q={rest} />}
    </li>
  );
}

function HowMany({ q }: { readonly q: string }) {
  const { data } = useAnswer("letters.count", { q }, null);
  if (data === null) return null;
  if (data.n === 0) return ": none.";
  return `: ${data.isExact ? "" : "more than "}${showLetters(data.n)}.`;
}
