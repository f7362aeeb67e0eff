import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { CategoryChip } from "../ui/category-chip.tsx";
import { inWords } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";

export type SaidOfCategory = OutputOf<"policy.protocols">["items"][number];

/** What a policy says of each category, in plain words. */
export function PolicyCategories({ items }: { readonly items: readonly SaidOfCategory[] }) {
  return items.map(({ category, sentences: [first, ...others], overrides }) => (
    <section key={category} className="card" aria-label={inWords(category)}>
      <h2>
        <CategoryChip category={category} />
      </h2>
      <p>
        <b>{first}</b> {others.join(" ")}
      </p>
      <p>
        <Link to={pages.policyOf(category)} row>
          All of {inWords(category)}
        </Link>
        {overrides.length === 0 ? null : ` · ${overridesInWords(overrides.length)}`}
      </p>
    </section>
  ));
}

function overridesInWords(n: number): string {
  return n === 1 ? "one override may change it" : `${n} overrides may change it`;
}
