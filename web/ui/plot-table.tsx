import { showCount } from "./counts.ts";

const rowsShown = 60;

interface PlotTableProps {
  readonly title: string;
  readonly along: string;
  readonly x: readonly (number | string)[];
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** The figures of a picture, for who cannot see it or wants to copy them. */
export function PlotTable({ title, along, x, lines }: PlotTableProps) {
  const every = Math.ceil(x.length / rowsShown);
  return (
    <details>
      <summary>As a table{every > 1 ? `, one row of ${every}` : ""}</summary>
      <table className="rows">
        <caption className="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col" className="number">
              {along}
            </th>
            {lines.map(({ name }) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {x.flatMap((at, index) =>
            index % every > 0 ? (
              []
            ) : (
              <tr key={at}>
                <th scope="row" className="number">
                  {at}
                </th>
                {lines.map(({ name, values }) => (
                  <td key={name} className="number" data-label={name}>
                    {showCount(Math.round(values[index] ?? 0))}
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </details>
  );
}
