import { useState } from "react";
import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { type Answer, useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";

type Source = OutputOf<"sources.list">["items"][number];

/** The brokers there are. What stands in the configuration wins over anything here, and is changed there. */
export function Sources() {
  const answer = useAnswer("sources.list", {});
  const sources = answer.data?.items ?? [];
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      <p>
        Those of <code>dlo.config.yaml</code> are changed there. Others are connected here, and their addresses kept
        sealed.
      </p>
      <Trouble answer={answer} />
      {answer.data !== null && sources.length === 0 ? <p>There are none.</p> : null}
      {sources.length === 0 ? null : (
        <RowsTable caption="Sources" columns={columnsOf(answer)} rows={sources} keyOf={({ name }) => name} />
      )}
      <div className="buttons">
        <Link to={pages.connect()} look="first">
          Connect a broker
        </Link>
      </div>
      <CommandLine command="dlo sources list" />
    </section>
  );
}

function columnsOf({ reload }: Answer<unknown>): readonly TableColumn<Source>[] {
  return [
    { heading: "Source", kind: "name", cell: ({ name }) => name },
    { heading: "Broker", label: "broker", cell: ({ broker }) => broker },
    { heading: "Owner", label: "owner", cell: ({ owner }) => owner ?? "–" },
    {
      heading: "Dead-letter queues",
      cell: ({ queues }) => queues.map(({ match, mode }) => `${match} (${mode})`).join(" · ") || "none",
    },
    {
      heading: "Change",
      cell: (source) => (source.isConfigured ? "in the configuration" : <Changes source={source} onChange={reload} />),
    },
  ];
}

interface ChangesProps {
  readonly source: Source;
  readonly onChange: () => void;
}

function Changes({ source, onChange }: ChangesProps) {
  const { name, queues } = source;
  const isDrained = queues.some(({ mode }) => mode === "drain");
  const rules: InputOf<"sources.change">["queues"] = queues.map(({ match }) => ({
    ...{ match, mode: isDrained ? "observe" : "drain" },
  }));
  return (
    <div className="buttons">
      {queues.length === 0 ? null : (
        <Act
          operation="sources.change"
          label={isDrained ? `Stop draining ${name}` : `Drain ${name}`}
          reason="none"
          command={() => `POST /api/v1/sources/${name} ${JSON.stringify({ queues: rules })}`}
          input={() => ({ name, queues: rules })}
          onDone={onChange}
        >
          <p>
            {isDrained
              ? "What is in hand is taken in or given back first. What dies from then on stays in the broker."
              : `All that is in ${queues.map(({ match }) => match).join(", ")} comes into the ledger.`}
          </p>
        </Act>
      )}
      <TypeAgain name={name} onChange={onChange} />
      <Act
        operation="sources.remove"
        tone="danger"
        label={`Let go of ${name}`}
        reason="none"
        command={() => `POST /api/v1/sources/${name}/remove`}
        input={() => ({ name })}
        onDone={onChange}
      >
        <p>Nothing is drained from it or sent to it any more. Letters that came from it stay.</p>
      </Act>
    </div>
  );
}

/** A password was changed, or the key is gone that the address was sealed with. */
function TypeAgain({ name, onChange }: { readonly name: string; readonly onChange: () => void }) {
  const [url, setUrl] = useState("");
  return (
    <Act
      operation="sources.change"
      label={`Another address for ${name}`}
      reason="none"
      command={() => `POST /api/v1/sources/${name} ${JSON.stringify({ url: "…" })}`}
      input={() => ({ name, url })}
      onDone={onChange}
    >
      <label className="field">
        Its address, with user and password
        <input required value={url} onChange={(event) => setUrl(event.target.value)} autoComplete="off" />
      </label>
    </Act>
  );
}
