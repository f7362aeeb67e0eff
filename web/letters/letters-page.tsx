import { type SubmitEventHandler, useEffect, useState } from "react";
import { goTo, pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { Facets, SearchTerms } from "./facets.tsx";
import { SelectionBar, useSelection } from "./letters-selection.tsx";
import { LettersTable } from "./letters-table.tsx";

/** Finds letters. The search is in the address, so a link shows the same to somebody else. */
export function LettersPage({ q, after }: { readonly q: string; readonly after: string | null }) {
  const answer = useAnswer("letters.list", { q, after, limit: 50 });
  const count = useAnswer("letters.facets", { q });
  const selection = useSelection(q);
  const shown = answer.data?.items.map(({ id }) => id) ?? [];
  const decided = () => {
    selection.clear();
    answer.reload();
    count.reload();
  };
  const found =
    count.data === null ? "" : `${count.data.isExact ? "" : "more than "}${count.data.n.toLocaleString("en")}`;
  return (
    <>
      <h1>Letters</h1>
      <SearchForm q={q} />
      <Trouble answer={answer} />
      <p role="status">{found === "" ? "" : `${found} match.`}</p>
      <SearchTerms q={q} />
      {count.data === null ? null : <Facets q={q} facets={count.data} />}
      <LettersTable letters={answer.data?.items ?? []} list={`${q} ${after ?? ""}`} selection={selection} />
      <SelectionBar q={q} selection={selection} shown={shown} matching={count.data} onChange={decided} />
      {answer.data?.items.length === 0 ? <p>No letters match{q === "" ? "" : `: ${q}`}.</p> : null}
      <nav aria-label="More letters" className="pages">
        {after === null ? null : <Link to={pages.letters(q)}>Newest</Link>}
        {answer.data?.next ? <Link to={pages.letters(q, answer.data.next)}>Older</Link> : null}
      </nav>
      <Freshness at={answer.at} />
    </>
  );
}

function SearchForm({ q }: { readonly q: string }) {
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    goTo(pages.letters(text.trim()));
  };
  return (
    <form onSubmit={submit} className="search">
      <label htmlFor="q">Search</label>
      <input
        id="q"
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder='queue:orders age:>1h error:"timeout"'
        spellCheck={false}
        autoComplete="off"
      />
      <button type="submit">Search</button>
    </form>
  );
}
