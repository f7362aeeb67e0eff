import { type ReactNode, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Onlookers } from "../app/onlookers.tsx";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { useTitle } from "../app/use-title.ts";
import { Act } from "../ui/act.tsx";
import { Ago, Moment, PastTtl } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { inWords } from "../ui/counts.ts";
import { Fact } from "../ui/fact.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";
import { RawText } from "../ui/raw-text.tsx";
import { WaitingBehindLetter } from "../watch/waiting-behind.tsx";
import { LetterAttempts } from "./letter-attempts.tsx";
import { LetterBody } from "./letter-body.tsx";
import { errorOf } from "./letter-cells.tsx";
import { LetterHeaders } from "./letter-headers.tsx";
import { LetterHistory } from "./letter-history.tsx";
import { LetterSteps } from "./letter-steps.tsx";
import { Neighbours } from "./neighbours.tsx";
import { LetterTags, TagsFact } from "./tags.tsx";
import "./letter.css";

type Letter = OutputOf<"letters.get">;

/** What happened to one letter. All of it is text: nothing in a letter is ever rendered or run. */
export function LetterPage({ id }: { readonly id: string }) {
  const answer = useAnswer("letters.get", { id });
  // As it is masked: what is revealed goes into no history of a browser.
  useTitle(answer.data === null ? null : errorOf(answer.data));
  const [revealed, setRevealed] = useState<Letter | null>(null);
  const shown = revealed?.id === id ? revealed : null;
  return (
    <>
      <Onlookers id={id} />
      <Trouble answer={answer} />
      {answer.data === null ? (
        <h1>Letter</h1>
      ) : (
        <WholeLetter
          key={id}
          letter={{ ...answer.data, ...unmasked(shown) }}
          onChange={answer.reload}
          reveal={<Reveal id={id} isRevealed={shown !== null} onChange={setRevealed} />}
        />
      )}
      <CommandLine command={`dlo letters show ${id}`} />
      <Freshness answer={answer} />
    </>
  );
}

/** What is masked elsewhere; all else stays as fresh as it is. */
function unmasked(letter: Letter | null): Partial<Letter> {
  if (letter === null) return {};
  const { body, headers, properties, stack, errorMessage, attemptLog } = letter;
  return { body, headers, properties, stack, errorMessage, attemptLog };
}

interface RevealProps {
  readonly id: string;
  readonly isRevealed: boolean;
  readonly onChange: (letter: Letter | null) => void;
}

function Reveal({ id, isRevealed, onChange }: RevealProps) {
  if (isRevealed) {
    return (
      <button type="button" onClick={() => onChange(null)}>
        Mask it again
      </button>
    );
  }
  return (
    <Act
      operation="letters.reveal"
      label="Reveal what is masked"
      command={(why) => `dlo letters body ${id} --unmasked --reason ${quoted(why || "…")}`}
      input={(reason) => ({ id, reason })}
      onDone={onChange}
    >
      <p>This letter alone, on this page alone, until you leave it. Your reason goes to the audit log.</p>
    </Act>
  );
}

interface WholeLetterProps {
  readonly letter: Letter;
  readonly onChange: () => void;
  /** The button that takes the masks off, or puts them back. */
  readonly reveal: ReactNode;
}

function WholeLetter({ letter, onChange, reveal }: WholeLetterProps) {
  return (
    <>
      <h1>{errorOf(letter)}</h1>
      <p>
        <CategoryChip category={letter.category} />{" "}
        {letter.was === letter.category ? "" : `was ${inWords(letter.was)} on arrival · `}
        {Math.round(letter.confidence * 100)} % sure. {letter.why}
      </p>
      <LetterFacts letter={letter} />
      <Repeats letter={letter} />
      <WaitingBehindLetter letter={letter} onChange={onChange} />
      <LetterTags id={letter.id} tags={letter.tags} onChange={onChange} />
      <LetterSteps letter={letter} onChange={onChange} />
      <LetterAttempts letter={letter} />
      {letter.stack === null ? null : (
        <section aria-labelledby="stack">
          <h2 id="stack">Stack</h2>
          <RawText text={letter.stack} />
          <CopyButton text={letter.stack} label="Copy the stack" />
        </section>
      )}
      <LetterBody letter={letter} reveal={reveal} />
      <LetterHeaders headers={letter.headers} properties={letter.properties} />
      <LetterHistory letter={letter} />
      <Neighbours letter={letter} />
    </>
  );
}

/** Where one failure left two dead letters: those that are kept once, and those of which only a person can say so. */
function Repeats({ letter: { repeatOf, repeats } }: { readonly letter: Letter }) {
  const [first] = repeats;
  return (
    <>
      {repeatOf === null ? null : (
        <p className="says">
          <b>Probably the same failure as</b> <Link to={pages.letter(repeatOf)}>{repeatOf}</Link>: message id, body,
          queue and attempt are equal. A plan leaves it out unless you accept the risk.
        </p>
      )}
      {first === undefined ? null : (
        <p className="says">
          The same failure came {repeats.length === 1 ? "once more" : `${repeats.length} times more`}, last{" "}
          <Ago since={(repeats.at(-1) ?? first).at} />. It is kept as this letter.
        </p>
      )}
    </>
  );
}

const effects: Readonly<Record<string, string>> = {
  none: "none before it failed",
  uncertain: "uncertain: it may have taken effect before it failed",
  done: "it took effect",
};

function LetterFacts({ letter }: { readonly letter: Letter }) {
  const { source, queue, destination, cameBy, attempts, replays, failedAtBy, enqueuedAt, handler, consumer } = letter;
  return (
    <dl className="facts">
      <Fact name="State">
        {inWords(letter.state)} <PastTtl expiresAt={letter.expiresAt} />
      </Fact>
      <Fact name="Queue">
        {source}/{queue}
        {destination === null || destination === queue ? "" : ` → ${destination}`}
        {cameBy === null ? "" : ` by ${cameBy.exchange || "the default exchange"}, key ${cameBy.routingKey}`}
      </Fact>
      <Fact name="Failed">
        <Ago since={letter.failedAt} />
        {failedAtBy === "arrival" ? " at the latest" : ""}
      </Fact>
      <Fact name="Taken in">
        <Ago since={letter.arrivedAt} />
      </Fact>
      {enqueuedAt === null ? null : (
        <Fact name="First sent">
          <Ago since={enqueuedAt} />
        </Fact>
      )}
      {letter.expiresAt === null ? null : (
        <Fact name="Time to live">
          until <Moment at={letter.expiresAt} />
        </Fact>
      )}
      <Fact name="Attempts">{attempts ?? "unknown"}</Fact>
      <Fact name="Replays">{replays}</Fact>
      <Fact name="Side effects">{effects[letter.sideEffect] ?? letter.sideEffect}</Fact>
      {letter.key === null ? null : <Fact name="Key">{letter.key}</Fact>}
      {letter.trace === null ? null : <Fact name="Trace">{letter.trace}</Fact>}
      {consumer === null ? null : (
        <Fact name="Consumer">
          {consumer}
          {letter.consumerVersion === null ? "" : `@${letter.consumerVersion}`}
        </Fact>
      )}
      {handler === null ? null : <Fact name="Handler">{handler}</Fact>}
      <LetterOrigin letter={letter} />
      <Fact name="Group">
        <Link to={pages.group(letter.group)}>{letter.group}</Link>
      </Fact>
      <TagsFact tags={letter.tags} />
    </dl>
  );
}

/** Where it was, what ran it and what it is, as far as it says. */
function LetterOrigin({ letter }: { readonly letter: Letter }) {
  const { cameFrom, host, process, schema } = letter;
  const { partition, offset, position } = cameFrom;
  return (
    <>
      {partition === null ? null : <Fact name="Partition">{partition}</Fact>}
      {offset === null ? null : <Fact name={partition === null ? "Sequence" : "Offset"}>{offset}</Fact>}
      {offset === null && position !== null ? <Fact name="Position">{position}</Fact> : null}
      {host === null ? null : <Fact name="Host">{host}</Fact>}
      {process === null ? null : <Fact name="Process">{process}</Fact>}
      {schema.name === null ? null : (
        <Fact name="Schema">
          {schema.name}
          {schema.version === null ? "" : ` version ${schema.version}`}
        </Fact>
      )}
    </>
  );
}
