import type { ReactNode } from "react";
import { columnsIn } from "../../src/domain/letter-columns.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { type LetterList, pages } from "../app/routes.ts";
import { type Answer, useAnswer } from "../app/use-answer.ts";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";
import { Facets, SearchTerms } from "./facets.tsx";
import { SelectionBar } from "./letters-selection.tsx";
import { LettersTable } from "./letters-table.tsx";
import { chosenSort, isOldestFirst, ListChoices, sortOf } from "./list-choices.tsx";
import { NothingMatches } from "./nothing-matches.tsx";
import { asksForReplay } from "./search-terms.ts";
import { SearchWarnings } from "./search-warnings.tsx";
import { useSelection } from "./use-selection.ts";
import { Views } from "./views.tsx";

interface LettersPageProps {
  readonly q: string;
  readonly after: string | null;
  readonly list: LetterList;
}

/** Finds letters. The search is in the address, so a link shows the same to somebody else. */
export function LettersPage(props: LettersPageProps) {
  return asksForReplay(props.q) ? <JudgedLetters {...props} /> : <CountedLetters {...props} />;
}

function CountedLetters({ q, after, list }: LettersPageProps) {
  const answer = useAnswer("letters.list", { q, after, limit: 50, sort: sortOf(list) });
  const count = useAnswer("letters.facets", { q });
  const parts = count.data === null ? null : <Facets q={q} list={list} facets={count.data} />;
  return <FoundLetters {...{ q, after, list, answer, parts }} matching={count.data} onChange={count.reload} />;
}

/** Each answer judges every letter that could match, so it is asked for once, not divided, and not again by itself. */
function JudgedLetters({ q, after, list }: LettersPageProps) {
  const answer = useAnswer("letters.list", { q, after, limit: 50, sort: sortOf(list) }, null);
  const { data } = answer;
  const matching = data === null || after !== null ? null : { n: data.items.length, isExact: data.next === null };
  const parts = (
    <p>
      Judged when it was asked for.{" "}
      <button type="button" className="small" onClick={answer.reload}>
        Look again
      </button>
    </p>
  );
  return <FoundLetters {...{ q, after, list, answer, parts, matching }} onChange={() => {}} />;
}

interface FoundLettersProps extends LettersPageProps {
  readonly answer: Answer<OutputOf<"letters.list">>;
  /** How many the search finds; null while, or where, that is not known. */
  readonly matching: { readonly n: number; readonly isExact: boolean } | null;
  /** What is shown between the search and what it finds. */
  readonly parts: ReactNode;
  readonly onChange: () => void;
}

function FoundLetters({ q, after, list, answer, matching, parts, onChange }: FoundLettersProps) {
  const selection = useSelection(q);
  const shown = answer.data?.items.map(({ id }) => id) ?? [];
  const changed = () => {
    answer.reload();
    onChange();
  };
  const decided = () => {
    selection.clear();
    changed();
  };
  const found = matching === null ? "" : `${matching.isExact ? "" : "more than "}${matching.n.toLocaleString("en")}`;
  return (
    <>
      <h1>Letters</h1>
      <Views q={q} list={list} />
      <Trouble answer={answer} />
      <p role="status">{found === "" ? "" : `${found} match.`}</p>
      <SearchTerms q={q} list={list} />
      <SearchWarnings warnings={answer.data?.warnings ?? []} />
      {parts}
      <ListChoices q={q} list={list} />
      <LettersTable
        letters={answer.data?.items ?? []}
        list={`${q} ${sortOf(list)} ${after ?? ""}`}
        columns={columnsIn(list.cols)}
        selection={selection}
      />
      <SelectionBar {...{ q, selection, shown, matching }} onChange={decided} onClassify={changed} />
      {answer.data?.items.length === 0 ? <NothingMatches q={q} list={list} /> : null}
      <nav aria-label="More letters" className="pages">
        {after === null ? null : (
          <Link to={pages.letters(q, null, list)}>{isOldestFirst(list) ? "Oldest" : "Newest"}</Link>
        )}
        {answer.data?.next ? (
          <Link to={pages.letters(q, answer.data.next, list)}>{isOldestFirst(list) ? "Newer" : "Older"}</Link>
        ) : null}
      </nav>
      <CommandLine command={commandOf(q, list)} />
      <Freshness answer={answer} />
    </>
  );
}

/** The same in a terminal. */
function commandOf(q: string, list: LetterList): string {
  const sort = chosenSort(list);
  return `dlo letters${q === "" ? "" : ` -q ${quoted(q)}`}${sort === null ? "" : ` --sort=${sort}`}`;
}
