import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { whyNot } from "../letters/letter-body.tsx";
import { errorOf } from "../letters/letter-cells.tsx";
import { LetterHeaders } from "../letters/letter-headers.tsx";
import { LetterHistory } from "../letters/letter-history.tsx";
import { Ago, PastTtl } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { inWords, showBytes } from "../ui/counts.ts";
import { Fact } from "../ui/fact.tsx";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { RawText } from "../ui/raw-text.tsx";

type Letter = OutputOf<"letters.get">;

/** What tells one letter from another; the rest is on its page. */
const shownCharacters = 2_000;

/** How it failed, what it holds and what became of it, as masked as on its page. */
export function LetterGist({ id }: { readonly id: string }) {
  const answer = useAnswer("letters.get", { id });
  const letter = answer.data;
  return (
    <>
      <h2 id="peeked" aria-live="polite">
        {letter === null ? "Letter" : errorOf(letter)}
      </h2>
      <Trouble answer={answer} />
      {letter === null ? null : <LetterInShort letter={letter} />}
      <CommandLine command={`dlo letters show ${id}`} />
    </>
  );
}

function LetterInShort({ letter }: { readonly letter: Letter }) {
  const { category, state, why, source, queue, failedAt, attempts, key, group } = letter;
  return (
    <>
      <p>
        <CategoryChip category={category} /> {why}
      </p>
      <dl className="facts">
        <Fact name="State">
          {inWords(state)} <PastTtl expiresAt={letter.expiresAt} />
        </Fact>
        <Fact name="Queue">
          {source}/{queue}
        </Fact>
        <Fact name="Failed">
          <Ago since={failedAt} />
        </Fact>
        <Fact name="Attempts">{attempts ?? "unknown"}</Fact>
        {key === null ? null : <Fact name="Key">{key}</Fact>}
        <Fact name="Group">
          <Link to={pages.group(group)}>{group}</Link>
        </Fact>
      </dl>
      <BodyInShort body={letter.body} />
      <LetterHistory letter={letter} />
      <LetterHeaders key={letter.id} headers={letter.headers} properties={letter.properties} />
    </>
  );
}

function BodyInShort({ body }: Pick<Letter, "body">) {
  const { text, bytes } = body;
  return (
    <>
      <h2>Body</h2>
      {text === null ? (
        <p>{whyNot(body)}</p>
      ) : (
        <RawText text={text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text} />
      )}
      <p className="muted">{showBytes(bytes)}</p>
    </>
  );
}
