import { type ReactNode, useState } from "react";
import { type JsonNode, parseJsonText } from "../../src/domain/json-text.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAction } from "../app/use-action.ts";
import { Act } from "../ui/act.tsx";
import { showBytes } from "../ui/counts.ts";
import { quoted } from "../ui/quoted.ts";
import { RawText } from "../ui/raw-text.tsx";
import { bytesOf, saveFile } from "./body-bytes.ts";
import { hexLines } from "./hex-lines.ts";
import { JsonTree } from "./json-tree.tsx";

type Letter = OutputOf<"letters.get">;

/** More is for a download. */
const hexBytes = 65_536;

const views = ["text", "tree", "hex"] as const;

type View = (typeof views)[number];

/** What it holds, as text, as a tree, or byte by byte. */
export function LetterBody({ letter, reveal }: { readonly letter: Letter; readonly reveal: ReactNode }) {
  const { body, cut } = letter;
  return (
    <section aria-labelledby="body">
      <h2 id="body">Body</h2>
      <p>
        {body.bytes.toLocaleString("en")} bytes
        {letter.contentType === null ? "" : ` · ${letter.contentType}`}
        {body.masked ? " · what must not be shown is •••" : ""}
      </p>
      {cut?.body === undefined || body.kind === "missing" ? null : (
        <p className="risk">
          It was {showBytes(cut.body)}, of which only the beginning was kept: it cannot be sent back.
        </p>
      )}
      {body.text === null ? <NotShown letter={letter} /> : <TextViews text={body.text} />}
      <div className="buttons">
        {reveal}
        <Downloads letter={letter} />
      </div>
    </section>
  );
}

function TextViews({ text }: { readonly text: string }) {
  const [view, setView] = useState<View>("text");
  const tree = view === "tree" ? treeOf(text) : null;
  return (
    <>
      <fieldset className="choice">
        <legend className="unseen">Show the body as</legend>
        {views.map((each) => (
          <label key={each}>
            <input type="radio" name="body-view" checked={view === each} onChange={() => setView(each)} /> {each}
          </label>
        ))}
      </fieldset>
      {view === "text" ? <RawText text={text} /> : null}
      {view === "hex" ? <Hex bytes={new TextEncoder().encode(text)} /> : null}
      {view === "tree" && tree === null ? <p>It is no JSON, or nested too deeply to be drawn.</p> : null}
      {tree === null ? null : (
        <div className="json-tree">
          <JsonTree text={text} node={tree} path="body" name={null} />
        </div>
      )}
    </>
  );
}

function treeOf(text: string): JsonNode | null {
  try {
    return parseJsonText(text);
  } catch {
    return null;
  }
}

function Hex({ bytes }: { readonly bytes: Uint8Array }) {
  const isMore = bytes.length > hexBytes;
  return (
    <>
      <RawText text={hexLines(bytes.subarray(0, hexBytes))} />
      {isMore ? (
        <p className="muted">
          The first {showBytes(hexBytes)} of {showBytes(bytes.length)}.
        </p>
      ) : null}
    </>
  );
}

const tooMuch = {
  bytes: "It is no text, so what must not be seen cannot be told from the rest of it.",
  too_large: "It is too large for a page: download it.",
} as const;

/** Why no text is shown: the server says so of what it doesn't have. */
export function whyNot({ kind, notice }: Letter["body"]): string {
  return kind === "bytes" || kind === "too_large" ? tooMuch[kind] : (notice ?? "");
}

function NotShown({ letter: { id, body } }: { readonly letter: Letter }) {
  const [bytes, setBytes] = useState<Uint8Array | null>(null);
  return (
    <>
      <p>{whyNot(body)}</p>
      {body.beginning === null ? null : (
        <>
          <p className="muted">It begins:</p>
          <RawText text={`${body.beginning} …`} />
        </>
      )}
      {body.kind === "bytes" && bytes === null ? (
        <Act
          operation="letters.body"
          label="Show its bytes"
          command={(why) => `dlo letters body ${id} --unmasked --reason ${quoted(why || "…")}`}
          input={(reason) => ({ id, unmaskedBecause: reason })}
          onDone={({ base64 }) => setBytes(bytesOf(base64))}
        >
          <p>They are shown as they are, with whatever is secret in them. Your reason goes to the audit log.</p>
        </Act>
      ) : null}
      {bytes === null ? null : <Hex bytes={bytes} />}
    </>
  );
}

function DownloadMasked({ id }: { readonly id: string }) {
  const { run, isBusy, refused } = useAction("letters.body");
  const download = async () => {
    const file = await run({ id });
    if (file !== null) saveFile(file);
  };
  return (
    <>
      <button type="button" aria-disabled={isBusy} onClick={() => void download()}>
        Download, masked
      </button>
      {refused === null ? null : <span role="alert">{refused.message}</span>}
    </>
  );
}

function Downloads({ letter: { id, body } }: { readonly letter: Letter }) {
  if (body.kind === "missing" || body.kind === "deleted") return null;
  return (
    <>
      {body.kind === "bytes" ? null : <DownloadMasked id={id} />}
      <Act
        operation="letters.body"
        label="Download as it is"
        command={(why) => `dlo letters body ${id} --unmasked --reason ${quoted(why || "…")}`}
        input={(reason) => ({ id, unmaskedBecause: reason })}
        onDone={saveFile}
      >
        <p>The bytes exactly as they came, with whatever is secret in them. Your reason goes to the audit log.</p>
      </Act>
    </>
  );
}
