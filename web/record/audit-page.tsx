import { useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useReading } from "../app/display-zone.ts";
import { ask } from "../app/office.ts";
import { type AuditSearch, pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { MomentInColumn } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { NamedText } from "../ui/named-text.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";
import { RawText } from "../ui/raw-text.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { AuditSearchForm } from "./audit-search.tsx";

type Entry = OutputOf<"audit.list">["items"][number];

interface AuditPageProps {
  readonly search: AuditSearch;
  readonly before: number | null;
}

/** Who did what, newest first. */
export function AuditPage({ search, before }: AuditPageProps) {
  const { zone } = useReading();
  const { own, ...filter } = search;
  const answer = useAnswer("audit.list", { ...filter, withoutOffice: own === "without", before, limit: 50 });
  const items = answer.data?.items ?? [];
  const next = answer.data?.next ?? null;
  return (
    <>
      <h1>Audit</h1>
      <ProofButton />
      <AuditSearchForm search={search} />
      <nav aria-label="Whose entries" className="tabs">
        <Link to={pages.audit({ ...search, own: "" })} current={own === ""}>
          All
        </Link>
        <Link to={pages.audit({ ...search, own: "without" })} current={own !== ""}>
          Without what the office did by itself
        </Link>
      </nav>
      <Trouble answer={answer} />
      {answer.data !== null && items.length === 0 ? <p role="status">{nothingOf(next)}</p> : null}
      {items.length === 0 ? null : (
        <RowsTable
          caption="Who did what, newest first"
          columns={columnsIn(zone)}
          rows={items}
          keyOf={({ n }) => String(n)}
        />
      )}
      <nav aria-label="More entries" className="pages">
        {before === null ? null : <Link to={pages.audit(search)}>Newest</Link>}
        {next === null ? null : <Link to={pages.audit(search, Number(next))}>Older</Link>}
      </nav>
      <p className="muted">Entries are never changed or deleted. All of them, to a file:</p>
      <CommandLine command="dlo audit export > audit.ndjson" />
      <CommandLine command={commandOf(search)} />
      <Freshness answer={answer} />
    </>
  );
}

function nothingOf(next: string | null): string {
  if (next === null) return "No entry matches.";
  return `No entry from number ${Number(next).toLocaleString("en")} on matches. Older ones were not looked at yet.`;
}

function commandOf({ by, action, about, own }: AuditSearch): string {
  const flags = Object.entries({ by, action, about }).filter(([, value]) => value !== "");
  const words = flags.map(([name, value]) => ` --${name} ${quoted(value)}`);
  return `dlo audit list${words.join("")}${own === "" ? "" : " --without-office"}`;
}

const columnsIn = (zone: string): readonly TableColumn<Entry>[] => [
  { heading: "No.", kind: "number", cell: ({ n }) => n },
  {
    heading: `When (${zone})`,
    cell: ({ at }) => <MomentInColumn at={at} />,
  },
  { heading: "Who", label: "by", cell: ({ actor }) => actor },
  { heading: "What", cell: (entry) => <What entry={entry} /> },
];

function What({ entry: { sentence, action, details } }: { readonly entry: Entry }) {
  return (
    <>
      <NamedText text={sentence} />
      <details className="as-written">
        <summary>
          <code>{action}</code>
        </summary>
        <RawText text={JSON.stringify(JSON.parse(details), null, 2)} />
      </details>
    </>
  );
}

/** Computes every hash again, and says which range that proved. */
function ProofButton() {
  const [proof, setProof] = useState("");
  const prove = async () => {
    setProof("Computing…");
    try {
      const { entries, problem } = await ask("audit.verify", {});
      setProof(problem ?? `Entries 1 to ${entries.toLocaleString("en")} are whole.`);
    } catch (error) {
      setProof(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <p>
      <button type="button" onClick={() => void prove()}>
        Verify the chain
      </button>{" "}
      <span role="status">{proof}</span>
    </p>
  );
}
