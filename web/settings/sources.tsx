import { useState } from "react";
import { showKeyPlace } from "../../src/domain/key-place.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { type Answer, useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";

type Source = OutputOf<"sources.list">["items"][number];

/** The sources there are. What stands in the configuration wins over anything here, and is changed there. */
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
          Connect a source
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
      cell: ({ queues, isReadInPlace }) =>
        queues.map(({ match, mode }) => `${match} (${isReadInPlace ? "read" : mode})`).join(" · ") || "none",
    },
    { heading: "Keys", label: "keys", cell: keysOf },
    {
      heading: "Change",
      cell: (source) => (source.isConfigured ? "in the configuration" : <Changes source={source} onChange={reload} />),
    },
  ];
}

/** Where its messages have their idempotency key, and its consumers their blocked keys. */
function keysOf({ key, keys }: Source): string {
  const said = [key === null ? [] : [showKeyPlace(key)], keys === null ? [] : [`blocked keys in ${keys}`]].flat();
  return said.join(" · ") || "–";
}

interface ChangesProps {
  readonly source: Source;
  readonly onChange: () => void;
}

function Changes({ source, onChange }: ChangesProps) {
  const { name, broker, queues, isReadInPlace } = source;
  return (
    <div className="buttons">
      {queues.length === 0 || isReadInPlace ? null : <OtherModes source={source} onChange={onChange} />}
      <TypeAgain name={name} broker={broker} onChange={onChange} />
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

type Mode = "observe" | "drain";

/** For each rule by itself: what was only looked at is not drained because another was stopped for a while. */
function OtherModes({ source: { name, queues }, onChange }: ChangesProps) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Mode>>>({});
  const rules = queues.map(({ match, mode }) => ({ match, mode: chosen[match] ?? (mode as Mode) }));
  return (
    <Act
      operation="sources.change"
      label={`What is drained from ${name}`}
      reason="none"
      command={() => `POST /api/v1/sources/${name} ${JSON.stringify({ queues: rules })}`}
      input={() => ({ name, queues: rules })}
      onDone={() => {
        setChosen({});
        onChange();
      }}
    >
      <p>
        What is drained comes into the ledger, all of it. Where draining stops, what is in hand is taken in or given
        back first, and what dies from then on stays in the broker.
      </p>
      {rules.map(({ match, mode }) => (
        <label key={match} className="field">
          {match}
          <select value={mode} onChange={(event) => setChosen({ ...chosen, [match]: event.target.value as Mode })}>
            <option value="observe">look only</option>
            <option value="drain">drain</option>
          </select>
        </label>
      ))}
    </Act>
  );
}

interface TypeAgainProps {
  readonly name: string;
  readonly broker: string;
  readonly onChange: () => void;
}

/** A password was changed, or the key is gone that the address was sealed with. */
function TypeAgain({ name, broker, onChange }: TypeAgainProps) {
  const [url, setUrl] = useState("");
  const [management, setManagement] = useState("");
  const also = management === "" ? {} : { management };
  return (
    <Act
      operation="sources.change"
      label={`Another address for ${name}`}
      reason="none"
      command={() =>
        `POST /api/v1/sources/${name} ${JSON.stringify({ url: "…", ...(management === "" ? {} : { management: "…" }) })}`
      }
      input={() => ({ name, url, ...also })}
      onDone={onChange}
    >
      <label className="field">
        Its address, with user and password
        <input required value={url} onChange={(event) => setUrl(event.target.value)} autoComplete="off" />
      </label>
      {broker !== "rabbitmq" ? null : (
        <label className="field">
          Its management API, if that has another address now too
          <input value={management} onChange={(event) => setManagement(event.target.value)} autoComplete="off" />
        </label>
      )}
    </Act>
  );
}
