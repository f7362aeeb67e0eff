import type { OutputOf } from "../../src/office/operations/operations.ts";
import { type LetterList, pages } from "../app/routes.ts";
import { inWords, showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { term, termsOf, withoutTerm, withTerm } from "./search-terms.ts";

interface Searched {
  readonly q: string;
  readonly list: LetterList;
}

type Found = OutputOf<"letters.facets">;

/** What is searched for, each part of it to be taken away. */
export function SearchTerms({ q, list }: Searched) {
  const terms = termsOf(q);
  if (terms.length === 0) return null;
  return (
    <p className="terms">
      {terms.map((each) => (
        <Link key={each} to={pages.letters(withoutTerm(q, each), null, list)} look="button">
          <code>{each}</code>&nbsp;<span aria-hidden="true">×</span>
          <span className="unseen">, take away</span>
        </Link>
      ))}
    </p>
  );
}

const shownAtMost = 8;

/** How what was found divides; each leads to exactly so many. */
export function Facets({ q, list, facets }: Searched & { readonly facets: Found }) {
  if (facets.n === 0) return null;
  return (
    <nav
      className="facets"
      aria-label={facets.isExact ? "Narrow it down" : "Narrow it down, by the first that were found"}
    >
      <Facet q={q} list={list} field="state" title="State" values={facets.states} />
      <Facet q={q} list={list} field="category" title="Category" values={facets.categories} />
      <Facet q={q} list={list} field="queue" title="Queue" values={facets.queues} />
    </nav>
  );
}

interface FacetProps extends Searched {
  readonly field: string;
  readonly title: string;
  readonly values: Found["states"];
}

/** One value alone divides nothing. */
function Facet({ q, list, field, title, values }: FacetProps) {
  if (values.length < 2) return null;
  return (
    <div>
      <b>{title}</b>
      {values.slice(0, shownAtMost).map(({ value, n }) => (
        <Link key={value} to={pages.letters(withTerm(q, term(field, value)), null, list)}>
          {field === "queue" ? value : inWords(value)} <span className="muted">{showCount(n)}</span>
        </Link>
      ))}
      {values.length > shownAtMost ? <span className="muted">and {values.length - shownAtMost} more</span> : null}
    </div>
  );
}
