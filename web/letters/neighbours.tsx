import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Link } from "../ui/link.tsx";
import { term } from "./search-terms.ts";

type Letter = OutputOf<"letters.get">;

/** Letters that have something in common with this one: what else happened to this customer, this request, this failure. */
export function Neighbours({ letter }: { readonly letter: Letter }) {
  const { key, trace, tenant, group } = letter;
  return (
    <section aria-labelledby="neighbours">
      <h2 id="neighbours">Neighbours</h2>
      <ul>
        {key === null ? null : <Neighbour what="with its key" q={term("key", key)} />}
        {trace === null ? null : <Neighbour what="of its trace" q={term("trace", trace)} />}
        {tenant === null ? null : <Neighbour what={`of ${tenant}`} q={term("ctx.tenant", tenant)} />}
        <Neighbour what="of its group" q={term("group", group)} />
      </ul>
    </section>
  );
}

function Neighbour({ what, q }: { readonly what: string; readonly q: string }) {
  const { data } = useAnswer("letters.count", { q }, null);
  if (data === null) return <li className="muted">Looking for others {what}…</li>;
  const others = data.n - 1;
  if (others === 0) return <li>No other letter {what}.</li>;
  return (
    <li>
      <Link to={pages.letters(q)}>
        {others.toLocaleString("en")}
        {data.isExact ? "" : "+"} {others === 1 ? "other" : "others"} {what}
      </Link>
    </li>
  );
}
