import { useId, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";

type Header = OutputOf<"letters.get">["headers"][number];

/** With more of them than that, one looks for one. */
const searchedFrom = 8;

/** What came with it: of the application, of the office itself, and of the broker. */
export function LetterHeaders({ headers, properties }: Readonly<Record<"headers" | "properties", readonly Header[]>>) {
  const [wanted, setWanted] = useState("");
  const id = useId();
  const matches = ([name, , value]: Header) => `${name} ${value}`.toLowerCase().includes(wanted.toLowerCase());
  const isOurs = ([name]: Header) => name.startsWith("dlo-");
  const found = headers.filter(matches);
  return (
    <section aria-labelledby="headers">
      <h2 id="headers">Headers</h2>
      {headers.length + properties.length < searchedFrom ? null : (
        <p className="field">
          <label htmlFor={id}>Only those with</label>
          <input id={id} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
        </p>
      )}
      <Pairs title="Of the application" pairs={found.filter((header) => !isOurs(header))} />
      <Pairs title="Of the Dead Letter Office" pairs={found.filter(isOurs)} />
      <Pairs title="Of the broker" pairs={properties.filter(matches)} />
    </section>
  );
}

function Pairs({ title, pairs }: { readonly title: string; readonly pairs: readonly Header[] }) {
  if (pairs.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl className="pairs">
        {pairs.map(([name, type, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and their order is the broker's
          <div key={at}>
            <dt title={type}>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
