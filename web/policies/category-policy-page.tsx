import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RowsTable } from "../ui/rows-table.tsx";
import type { SaidOfCategory } from "./policy-categories.tsx";

/** What holds for the letters of one category: in words, where an override has another say, and by parameter. */
export function CategoryPolicyPage({ category }: { readonly category: string }) {
  const answer = useAnswer("policy.protocols", {});
  const said = answer.data?.items.find((each) => each.category === category);
  return (
    <>
      <h1>
        Policy for <CategoryChip category={category} /> letters
      </h1>
      <Trouble answer={answer} />
      {said === undefined ? null : <Said said={said} version={answer.data?.version ?? null} />}
      <CommandLine command={`dlo policy show ${category}`} />
      <p>
        <Link to={pages.policies()}>All categories, the text, and how to change it</Link> ·{" "}
        <Link to={pages.letters(`category:${category} is:inbox`)}>Letters of this category that need a decision</Link>
      </p>
      <Freshness answer={answer} />
    </>
  );
}

function Said({ said, version }: { readonly said: SaidOfCategory; readonly version: number | null }) {
  const { sentences, parameters } = said;
  return (
    <>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {parameters.length === 0 ? null : (
        <>
          <Overrides overrides={said.overrides} />
          <h2>Parameters</h2>
          <RowsTable
            caption="What the policy says by parameter"
            rows={parameters}
            keyOf={({ key }) => key}
            columns={[
              { heading: "Parameter", kind: "name", cell: ({ key }) => <code>{key}</code> },
              { heading: "Value", cell: ({ value }) => value },
              { heading: "What it is", cell: ({ about }) => about },
              { heading: "Said by", cell: ({ line }) => saidBy(line, version) },
            ]}
          />
        </>
      )}
    </>
  );
}

function saidBy(line: number | null, version: number | null): string {
  if (line === null || version === null) return "built in";
  return `version ${version}, line ${line}`;
}

function Overrides({ overrides }: Pick<SaidOfCategory, "overrides">) {
  return (
    <section aria-labelledby="overrides">
      <h2 id="overrides">Where an override changes it</h2>
      {overrides.length === 0 ? (
        <p>Nowhere: it holds for all of these letters. An override of the policy can say otherwise for some of them.</p>
      ) : null}
      {overrides.map(({ name, when, line, changes }) => (
        <section key={name} className="card" aria-label={name}>
          <p>
            <b>{name}</b>
            {line === null ? null : `, line ${line}`}, where <code>{when}</code>
          </p>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
