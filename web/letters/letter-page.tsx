import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Age } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RawText } from "../ui/raw-text.tsx";
import { Decisions } from "./letters-selection.tsx";
import { errorOf } from "./letters-table.tsx";

type Letter = OutputOf<"letters.get">;

/** What happened to one letter. All of it is text: nothing in a letter is ever rendered or run. */
export function LetterPage({ id }: { readonly id: string }) {
  const answer = useAnswer("letters.get", { id });
  return (
    <>
      <Trouble answer={answer} />
      {answer.data === null ? <h1>Letter</h1> : <WholeLetter letter={answer.data} onChange={answer.reload} />}
      <p>
        On the command line: <code>dlo letters show {id}</code>
      </p>
      <Freshness at={answer.at} />
    </>
  );
}

const decidable = ["open", "returned", "in_doubt"];

/** What may be done with this one alone; the plan says whether it may go. */
function LetterSteps({ letter, onChange }: { readonly letter: Letter; readonly onChange: () => void }) {
  if (!decidable.includes(letter.state)) return null;
  return (
    <div className="buttons">
      <Link to={pages.plan({ ids: letter.id })} look="first" plan>
        Plan a replay of this letter
      </Link>
      <Link to={pages.edit(letter.id)} look="button">
        Edit it first
      </Link>
      <Decisions ids={[letter.id]} onDone={onChange} />
    </div>
  );
}

function WholeLetter({ letter, onChange }: { readonly letter: Letter; readonly onChange: () => void }) {
  return (
    <>
      <h1>{errorOf(letter)}</h1>
      <p>
        <CategoryChip category={letter.category} /> {Math.round(letter.confidence * 100)} % sure. {letter.why}
      </p>
      <p>
        {letter.state.replace("_", " ")} · {letter.source}/{letter.queue}
        {letter.cameBy === null ? "" : ` by ${letter.cameBy.exchange}, key ${letter.cameBy.routingKey}`} ·{" "}
        {letter.attempts ?? "unknown"} attempts · failed <Age since={letter.failedAt} /> ago · side effects:{" "}
        {letter.sideEffect} · <Link to={pages.group(letter.group)}>its group</Link>
      </p>
      <LetterSteps letter={letter} onChange={onChange} />
      <Body body={letter.body} />
      <Pairs title="Headers" pairs={letter.headers} />
      <Pairs title="Properties" pairs={letter.properties} />
      {letter.stack === null ? null : (
        <section>
          <h2>Stack</h2>
          <RawText text={letter.stack} />
        </section>
      )}
      <History letter={letter} />
    </>
  );
}

function Body({ body }: { readonly body: Letter["body"] }) {
  return (
    <section>
      <h2>Body</h2>
      <p>
        {body.bytes.toLocaleString("en")} bytes{body.masked ? ", with what must not be shown as •••" : ""}
      </p>
      {body.text === null ? <p>It is not here, too large to show, or no text.</p> : <RawText text={body.text} />}
    </section>
  );
}

function Pairs({ title, pairs }: { readonly title: string; readonly pairs: Letter["headers"] }) {
  if (pairs.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <dl className="pairs">
        {pairs.map(([name, type, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and their order is the broker's
          <div key={at}>
            <dt title={type}>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function History({ letter }: { readonly letter: Letter }) {
  return (
    <section>
      <h2>History</h2>
      <ol className="history">
        {letter.classifications.map(({ n, at, category, rule, by }) => (
          <li key={`c${n}`}>
            <time dateTime={at}>{at}</time> classified {category.replace("_", " ")} ({rule})
            {by === null ? "" : ` by ${by}`}
          </li>
        ))}
        {letter.history.map(({ n, at, kind, replay }) => (
          <li key={`h${n}`}>
            <time dateTime={at}>{at}</time> {kind} {replay ?? ""}
          </li>
        ))}
      </ol>
    </section>
  );
}
