import { useEffect, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Onlookers } from "../app/onlookers.tsx";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { useTitle } from "../app/use-title.ts";
import { errorOf } from "../letters/letter-cells.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { inWords } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { BodyEditor } from "./body-editor.tsx";
import { BodyFile, type ChosenFile } from "./body-file.tsx";
import type { Draft, EditChange } from "./edit-change.ts";
import { EditConflict } from "./edit-conflict.tsx";
import { type HeaderEdit, HeadersEditor } from "./headers-editor.tsx";
import { KeepEdit } from "./keep-edit.tsx";
import { keepDraft, readDraft } from "./kept-draft.ts";
import { Revisions } from "./revisions.tsx";
import { usePreview } from "./use-preview.ts";
import "./edit.css";

type Letter = OutputOf<"letters.get">;

/** One letter with another body, or other headers: what would change is seen before it is kept, and the original stays. Nothing is sent here. */
export function EditPage({ id }: { readonly id: string }) {
  const letter = useAnswer("letters.get", { id });
  const draft = useAnswer("edits.list", { id });
  useTitle(letter.data === null ? null : `Edit ${errorOf(letter.data)}`);
  return (
    <>
      <Onlookers id={id} />
      <p className="over">
        Edit and replay · <Link to={pages.letter(id)}>its letter</Link>
      </p>
      <Trouble answer={letter} />
      <Trouble answer={draft} />
      {letter.data === null || draft.data === null ? (
        <h1>Edit a letter</h1>
      ) : (
        <Editing key={id} letter={letter.data} latest={draft.data} reload={draft.reload} />
      )}
    </>
  );
}

interface EditingProps {
  readonly letter: Letter;
  /** As the office has it now: somebody else may have edited it since this began. */
  readonly latest: Draft;
  readonly reload: () => void;
}

const whyNoText: Readonly<Record<Draft["format"], string>> = {
  missing: "not here",
  binary: "not text",
  too_large: "too large to be edited here. Its letter's page has the download",
  json: "empty",
  text: "empty",
};

const editable = ["open", "returned", "escalated"];

function Editing({ letter, latest, reload }: EditingProps) {
  const edit = useEdit(letter.id, latest);
  const preview = usePreview(letter.id, edit.begun.revision, edit.change);
  const isConflict = latest.revision > edit.begun.revision && edit.change !== null;
  // Whoever only looks goes on from the latest.
  if (latest.revision > edit.begun.revision && !isConflict) edit.begin(latest);
  return (
    <>
      <h1>{errorOf(letter)}</h1>
      <p>
        <CategoryChip category={letter.category} /> {inWords(letter.state)} · {letter.source}/{letter.queue} · revision{" "}
        {edit.begun.revision}
        {edit.begun.revision === 0 ? ", the original" : ""}
      </p>
      {editable.includes(letter.state) ? null : (
        <p role="alert" className="trouble">
          This letter is {inWords(letter.state)}, so an edit would change nothing. What became of it is on{" "}
          <Link to={pages.letter(letter.id)}>its page</Link>.
        </p>
      )}
      {isConflict ? (
        <EditConflict latest={latest} onGoOn={() => edit.begin(latest, "mine")} onLeave={() => edit.begin(latest)} />
      ) : (
        <>
          <EditorOf key={edit.begun.revision} edit={edit} />
          <HeadersEditor draft={edit.begun} edits={edit.headers} onChange={edit.setHeaders} />
          <KeepEdit letter={letter} edit={edit} preview={preview} reload={reload} />
        </>
      )}
      <Revisions draft={latest} canGoBack={latest.revision > 0 && !isConflict} onOriginal={edit.takeOriginal} />
    </>
  );
}

/** What is being edited, from which revision, and into what. */
export interface Edit {
  readonly begun: Draft;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly file: ChosenFile | null;
  readonly setFile: (file: ChosenFile | null) => void;
  readonly headers: readonly HeaderEdit[];
  readonly setHeaders: (headers: readonly HeaderEdit[]) => void;
  readonly takeOriginal: () => void;
  /** Null while nothing is changed. */
  readonly change: EditChange | null;
  /** From that revision on, with what was written or without. */
  readonly begin: (from: Draft, whose?: "mine" | "theirs") => void;
}

type Way = "text" | "original" | ChosenFile;

function useEdit(id: string, latest: Draft): Edit {
  const kept = readDraft(id);
  const [begun, setBegun] = useState(kept === null ? latest : { ...latest, revision: kept.from });
  const [text, setText] = useState(kept?.text ?? latest.text ?? "");
  const [headers, setHeaders] = useState<readonly HeaderEdit[]>(kept?.headers ?? []);
  const [way, setWay] = useState<Way>("text");
  useEffect(() => {
    const isKept = text !== (begun.text ?? "") || headers.length > 0;
    keepDraft(id, isKept ? { from: begun.revision, text, headers } : null);
  }, [id, text, headers, begun]);
  return {
    ...{ begun, text, headers, change: changeOf(begun, text, way, headers) },
    setText,
    setHeaders,
    file: typeof way === "object" ? way : null,
    setFile: (file) => setWay(file ?? "text"),
    takeOriginal: () => setWay("original"),
    begin(from, whose = "theirs") {
      setBegun(from);
      setWay("text");
      if (whose === "mine") return;
      setText(from.text ?? "");
      setHeaders([]);
    },
  };
}

function changeOf(begun: Draft, text: string, way: Way, headers: readonly HeaderEdit[]): EditChange | null {
  const beside = headers.length === 0 ? {} : { headers: [...headers] };
  if (way === "original") return { original: true, ...beside };
  if (way !== "text") return { bodyBase64: way.base64, ...beside };
  if (begun.text !== null && text !== begun.text) return { text, ...beside };
  return headers.length === 0 ? null : beside;
}

function EditorOf({ edit }: { readonly edit: Edit }) {
  const { begun, text, setText, file, setFile } = edit;
  // The editor is told where to begin, and from then on tells: what is typed must not come back to it.
  const [start] = useState(text);
  return (
    <section aria-labelledby="body">
      <h2 id="body">Body</h2>
      {begun.masked ? (
        <p className="muted">
          What must not be shown is ••• here, and is sent unchanged as long as its mask stays where it is.
        </p>
      ) : null}
      {begun.text === null ? (
        <p>Its body is {whyNoText[begun.format]}. It can be replaced as a whole.</p>
      ) : (
        <BodyEditor text={start} isJson={begun.format === "json"} label="Body of the letter" onChange={setText} />
      )}
      <BodyFile file={file} onChoose={setFile} />
    </section>
  );
}
