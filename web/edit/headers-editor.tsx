import { type SubmitEventHandler, useState } from "react";
import { showCount } from "../ui/counts.ts";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import type { Draft } from "./edit-change.ts";

type DraftHeader = Draft["headers"][number];

/** What somebody makes of one header: a value of null goes without, a restored one goes as it came. */
export type HeaderEdit =
  | { readonly name: string; readonly value: string | null }
  | { readonly name: string; readonly restore: true };

interface HeadersEditorProps {
  readonly draft: Draft;
  readonly edits: readonly HeaderEdit[];
  readonly onChange: (edits: readonly HeaderEdit[]) => void;
}

interface Row extends DraftHeader {
  readonly edit: HeaderEdit | null;
}

/** Headers beside the body: those that may be changed in fields, the others with the reason why not. What is not changed keeps its bytes. */
export function HeadersEditor({ draft, edits, onChange }: HeadersEditorProps) {
  const put = (edit: HeaderEdit) => onChange([...edits.filter(({ name }) => name !== edit.name), edit]);
  const leave = (name: string) => onChange(edits.filter((each) => each.name !== name));
  const editOf = (name: string) => edits.find((each) => each.name === name) ?? null;
  const known = new Set(draft.headers.map(({ name }) => name));
  const added = edits.filter(({ name }) => !known.has(name));
  const rows: readonly Row[] = [
    ...draft.headers.map((header) => ({ ...header, edit: editOf(header.name) })),
    ...added.map((edit) => ({ name: edit.name, came: null, value: null, locked: null, careful: null, edit })),
  ];
  const editable = rows.filter(({ locked }) => locked === null);
  return (
    <section aria-labelledby="edit-headers">
      <h2 id="edit-headers">Headers</h2>
      {editable.length === 0 ? (
        <p>{rows.length === 0 ? "It came with none." : "It came with none that can be edited."}</p>
      ) : (
        <RowsTable caption="Its headers" columns={columnsOf(put, leave)} rows={editable} keyOf={nameOf} />
      )}
      <LockedHeaders rows={rows.filter(({ locked }) => locked !== null)} />
      <AddHeader isTaken={(name) => rows.some((row) => row.name === name)} onAdd={put} />
    </section>
  );
}

const nameOf = ({ name }: Row) => name;

const lockedColumns: readonly TableColumn<Row>[] = [
  { heading: "Header", kind: "name", cell: ({ name }) => <code>{name}</code> },
  { heading: "Value", label: "value", cell: ({ value }) => <code>{value}</code> },
  { heading: "Why", label: "why", cell: ({ locked }) => locked },
];

/** Out of the way: they are many on most letters, and long. */
function LockedHeaders({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <details>
      <summary>{`${showCount(rows.length)} that cannot be edited`}</summary>
      <RowsTable caption="Headers that cannot be edited" columns={lockedColumns} rows={rows} keyOf={nameOf} />
    </details>
  );
}

function columnsOf(put: (edit: HeaderEdit) => void, leave: (name: string) => void): readonly TableColumn<Row>[] {
  return [
    { heading: "Header", kind: "name", cell: ({ name }) => <code>{name}</code> },
    { heading: "Goes with", label: "goes with", cell: (row) => <HeaderValue row={row} put={put} /> },
    { heading: "Change", cell: (row) => <HeaderButtons row={row} put={put} leave={leave} /> },
  ];
}

interface CellProps {
  readonly row: Row;
  readonly put: (edit: HeaderEdit) => void;
}

function HeaderValue({ row: { name, came, value, careful, edit }, put }: CellProps) {
  if (edit !== null && "restore" in edit)
    return (
      <>
        <code>{came}</code> <span className="muted">as it came</span>
      </>
    );
  const now = edit === null ? value : edit.value;
  if (now === null) return <s>{value ?? came ?? "nothing"}</s>;
  return (
    <>
      <input
        aria-label={`Value of ${name}`}
        value={now}
        onChange={(event) => put({ name, value: event.target.value })}
        autoComplete="off"
        spellCheck={false}
      />
      {careful === null || edit === null ? null : <span className="says">{careful}</span>}
    </>
  );
}

function HeaderButtons({ row, put, leave }: CellProps & { readonly leave: (name: string) => void }) {
  const { name, value, edit } = row;
  if (edit !== null)
    return (
      <button type="button" onClick={() => leave(name)}>
        {`Leave ${name} as it was`}
      </button>
    );
  if (value === null)
    return (
      <button type="button" onClick={() => put({ name, restore: true })}>
        {`Send ${name} after all`}
      </button>
    );
  return (
    <button type="button" onClick={() => put({ name, value: null })}>
      {`Go without ${name}`}
    </button>
  );
}

interface AddHeaderProps {
  readonly isTaken: (name: string) => boolean;
  readonly onAdd: (edit: HeaderEdit) => void;
}

function AddHeader({ isTaken, onAdd }: AddHeaderProps) {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const isKnown = isTaken(name.trim());
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    if (name.trim() === "" || isKnown) return;
    onAdd({ name: name.trim(), value });
    setName("");
    setValue("");
  };
  return (
    <form onSubmit={submit} className="add-header">
      <label className="field">
        Another header
        <input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" spellCheck={false} />
      </label>
      <label className="field">
        Its value
        <input value={value} onChange={(event) => setValue(event.target.value)} autoComplete="off" spellCheck={false} />
      </label>
      <button type="submit" aria-disabled={name.trim() === "" || isKnown}>
        Add it
      </button>
      {isKnown ? <span className="says">It is in the list above.</span> : null}
    </form>
  );
}
