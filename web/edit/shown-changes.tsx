import { showCount } from "../ui/counts.ts";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import type { Changes } from "./edit-change.ts";

/** What changes, by place and by line; the signs say it too, for whoever sees no colours. */
export function ShownChanges({ changes: shown }: { readonly changes: Changes }) {
  const { changes, moreChanges, lines, moreLines, headers, findings } = shown;
  return (
    <>
      {findings.map((finding) => (
        <p key={finding} className="says">
          {finding}
        </p>
      ))}
      {headers.length === 0 ? null : <Headers headers={headers} />}
      {changes === null || changes.length === 0 ? null : <Places changes={changes} more={moreChanges} />}
      {lines === null ? <p>Not text: all of it is replaced.</p> : null}
      {lines === null || lines.length === 0 ? null : <Lines lines={lines} more={moreLines} />}
    </>
  );
}

type HeaderChange = Changes["headers"][number];

const headerColumns: readonly TableColumn<HeaderChange>[] = [
  { heading: "Header", kind: "name", cell: ({ name }) => <code>{name}</code> },
  { heading: "Was", label: "was", cell: ({ before }) => <Value text={before} /> },
  { heading: "Becomes", label: "becomes", cell: ({ after }) => <Value text={after} /> },
];

function Headers({ headers }: { readonly headers: readonly HeaderChange[] }) {
  return (
    <div className="places">
      <RowsTable caption="Headers that change" columns={headerColumns} rows={headers} keyOf={({ name }) => name} />
    </div>
  );
}

type Place = NonNullable<Changes["changes"]>[number];

const columns: readonly TableColumn<Place>[] = [
  { heading: "Place", kind: "name", cell: ({ path }) => <code>{path || "/"}</code> },
  { heading: "Was", label: "was", cell: ({ before }) => <Value text={before} /> },
  { heading: "Becomes", label: "becomes", cell: ({ after }) => <Value text={after} /> },
];

function Places({ changes, more }: { readonly changes: readonly Place[]; readonly more: number }) {
  return (
    <div className="places">
      <RowsTable caption="What changes, by place" columns={columns} rows={changes} keyOf={({ path }) => path} />
      {more === 0 ? null : <p>and {showCount(more)} more places</p>}
    </div>
  );
}

function Value({ text }: { readonly text: string | null }) {
  return text === null ? <span className="muted">nothing</span> : <code>{text}</code>;
}

interface LinesProps {
  readonly lines: NonNullable<Changes["lines"]>;
  readonly more: number;
}

const tones = { "-": "gone-line", "+": "new-line", " ": undefined } as const;

function Lines({ lines, more }: LinesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className="diff" tabIndex={0}>
      {lines.map(({ sign, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <span key={at} className={tones[sign]}>
          {`${sign} ${text}\n`}
        </span>
      ))}
      {more === 0 ? null : `… ${showCount(more)} more lines`}
    </pre>
  );
}
