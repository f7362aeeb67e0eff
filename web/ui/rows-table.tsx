import type { ReactNode } from "react";

export interface TableColumn<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures, set right; on a phone they carry their heading. `name`: what the row is about. @default "text" */
  readonly kind?: "number" | "name" | "text";
  /** What a phone shows before the cell. @default the heading of a number, nothing of a text */
  readonly label?: string;
}

interface RowsTableProps<Row> {
  /** For who cannot see it: which rows, in which order. */
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** Rows that nobody chooses from. */
export function RowsTable<Row>({ caption, columns, rows, keyOf }: RowsTableProps<Row>) {
  return (
    <table className="rows">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ heading, kind }) => (
            <th key={heading} scope="col" className={kind === "number" ? "number" : undefined}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <Cell key={column.heading} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, row }: { readonly column: TableColumn<Row>; readonly row: Row }) {
  const { heading, cell, kind = "text", label } = column;
  if (kind === "name") return <th scope="row">{cell(row)}</th>;
  const shown = label ?? (kind === "number" ? heading.toLowerCase() : undefined);
  return (
    <td className={kind === "number" ? "number" : undefined} data-label={shown}>
      {cell(row)}
    </td>
  );
}
