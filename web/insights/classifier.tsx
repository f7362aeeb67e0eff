import type { OutputOf } from "../../src/office/operations/operations.ts";
import { showCount } from "../ui/counts.ts";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";

type Told = OutputOf<"insights.get">["classifier"];

type Rule = Told["items"][number];

const columns: readonly TableColumn<Rule>[] = [
  { heading: "Rule", kind: "name", cell: ({ rule }) => <code>{rule}</code> },
  { heading: "Letters", kind: "number", cell: ({ letters }) => shown(letters) },
  { heading: "Overridden by people", kind: "number", cell: ({ overridden }) => shown(overridden) },
  { heading: "Confirmed by replay", kind: "number", cell: ({ confirmed }) => shown(confirmed) },
  { heading: "Contradicted by replay", kind: "number", cell: ({ contradicted }) => shown(contradicted) },
];

function shown(n: number): string {
  return n === 0 ? "·" : showCount(n);
}

/** How often each rule that sorts letters was right, as far as people and replays told. */
export function Classifier({ classifier: { sentence, items } }: { readonly classifier: Told }) {
  return (
    <section aria-labelledby="classifier">
      <h2 id="classifier">Classifier</h2>
      {items.length === 0 ? (
        <p>Once letters arrive, this says which rules sorted them, and how often people or replays bore each out.</p>
      ) : (
        <>
          <p>{sentence}</p>
          <RowsTable caption="Rules that sorted letters" columns={columns} rows={items} keyOf={({ rule }) => rule} />
          <p className="muted">
            Confirmed: the replay went through, or the letter came back as what it was taken for. Contradicted: it came
            back as something else.
          </p>
        </>
      )}
    </section>
  );
}
