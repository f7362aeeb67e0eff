import { type SubmitEventHandler, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAction } from "../app/use-action.ts";
import { useForbidden } from "../ui/act.tsx";
import { Ago } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount } from "../ui/counts.ts";
import { quoted } from "../ui/quoted.ts";
import { RawText } from "../ui/raw-text.tsx";

type Peeked = OutputOf<"queues.peek">;
type Item = Peeked["items"][number];

/** What lies in a dead-letter queue, without taking it. `at`: the source and queue to begin with. */
export function Peek({ at = "" }: { readonly at?: string }) {
  const [named, setNamed] = useState(at);
  const [found, setFound] = useState<Peeked | null>(null);
  const action = useAction("queues.peek");
  const forbidden = useForbidden("queues.peek");
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    const slash = named.indexOf("/");
    if (forbidden !== null || action.isBusy) return;
    void action.run({ source: named.slice(0, slash), queue: named.slice(slash + 1) }).then(setFound);
  };
  return (
    <>
      <h2>Without draining</h2>
      <p className="muted">
        The first messages of a dead-letter queue, read where they lie, masked as letters are. Where a broker counts a
        look as a delivery (RabbitMQ, SQS) it is refused.
      </p>
      <form onSubmit={submit}>
        <label className="field">
          Source and dead-letter queue
          <input
            value={named}
            onChange={(event) => setNamed(event.target.value)}
            required
            pattern="[^\/]+\/.+"
            title="a source and a queue, such as kafka-eu/orders.DLT"
            placeholder="kafka-eu/orders.DLT"
            autoComplete="off"
          />
        </label>
        <button type="submit" aria-disabled={forbidden !== null || action.isBusy}>
          {action.isBusy ? "Looking…" : "Look into it"}
        </button>
      </form>
      {forbidden === null ? null : <p className="muted">{forbidden}</p>}
      {action.refused === null ? null : (
        <p role="alert" className="trouble">
          {action.refused.message} {action.refused.hint}
        </p>
      )}
      {found === null ? null : <PeekedMessages found={found} />}
      <CommandLine command={`dlo queues peek ${quoted(named === "" ? "SOURCE/QUEUE" : named)}`} />
    </>
  );
}

function PeekedMessages({ found: { source, queue, items } }: { readonly found: Peeked }) {
  const place = `${source}/${queue}`;
  if (items.length === 0) return <p role="status">Nothing lies in {place} that the office has not taken.</p>;
  return (
    <>
      <p role="status">
        The first {showCount(items.length)} in {place}, still there: nothing was taken.
      </p>
      <ol>
        {items.map((item, index) => (
          <li key={item.position ?? index}>
            <PeekedMessage item={item} />
          </li>
        ))}
      </ol>
    </>
  );
}

function PeekedMessage({ item }: { readonly item: Item }) {
  const { category, errorClass, errorMessage, why, queue, failedAt, sizeBytes, body } = item;
  const said = [errorClass, errorMessage].filter((each) => each !== null).join(": ");
  return (
    <>
      <p>
        <CategoryChip category={category} /> {said === "" ? why : said}
      </p>
      <p className="muted">
        {queue} · {showCount(sizeBytes)} bytes
        {failedAt === null ? null : (
          <>
            {" "}
            · failed <Ago since={failedAt} />
          </>
        )}
      </p>
      {body.text === null ? (
        <p className="muted">{body.kind === "bytes" ? "Its body is no text." : "Its body is too large to look at."}</p>
      ) : (
        <RawText text={body.isCut ? `${body.text} …` : body.text} />
      )}
    </>
  );
}
