import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { LettersTable } from "../letters/letters-table.tsx";
import { Age } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { Sparkline } from "../ui/sparkline.tsx";

/** Whether these are really one problem, and which. */
export function GroupPage({ id }: { readonly id: string }) {
  const group = useAnswer("groups.get", { id });
  const letters = useAnswer("letters.list", { q: `group:${id}`, limit: 50 });
  return (
    <>
      <Trouble answer={group} />
      {group.data === null ? <h1>Group</h1> : <GroupFacts group={group.data} />}
      <h2>Letters</h2>
      <Trouble answer={letters} />
      <LettersTable letters={letters.data?.items ?? []} />
      {letters.data?.next ? <Link to={pages.letters(`group:${id}`, letters.data.next)}>More letters</Link> : null}
      <p>
        On the command line: <code>dlo letters -q group:{id}</code>
      </p>
      <Freshness at={group.at} />
    </>
  );
}

function GroupFacts({ group }: { readonly group: OutputOf<"groups.get"> }) {
  return (
    <>
      <h1>{group.title}</h1>
      <p>
        <CategoryChip category={group.category} />
      </p>
      <dl className="facts">
        <Fact name="Queue">
          {group.source}/{group.queue}
        </Fact>
        <Fact name="Open">
          {group.open.toLocaleString("en")} of {group.total.toLocaleString("en")} that came
        </Fact>
        <Fact name="First">
          <Age since={group.firstArrivedAt} /> ago
        </Fact>
        <Fact name="Last">
          <Age since={group.lastArrivedAt} /> ago
        </Fact>
        <Fact name="24 hours">
          <Sparkline hours={group.hours} />
        </Fact>
      </dl>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
