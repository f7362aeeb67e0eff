import { useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { quoted } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";

type View = OutputOf<"views.list">["items"][number];

interface ViewsProps {
  readonly q: string;
  /** The view that the search began from; empty where it began from none. */
  readonly name: string;
}

/** Searches that somebody comes back to, as tabs; one that was changed says so. */
export function Views({ q, name }: ViewsProps) {
  const answer = useAnswer("views.list", {}, null);
  const views = answer.data?.items ?? [];
  const from = views.find((each) => each.name === name);
  const isChanged = from !== undefined && from.q !== q;
  const isNew = answer.data !== null && q !== "" && !views.some((each) => each.q === q);
  return (
    <>
      <nav aria-label="Views" className="tabs">
        <Link to={pages.letters()} current={q === "" && name === ""}>
          All
        </Link>
        {views.map((view) => (
          <Link key={`${view.kind} ${view.name}`} to={pages.letters(view.q, null, view.name)} current={view === from}>
            {inWords(view)}
            {view === from && isChanged ? <Changed /> : null}
          </Link>
        ))}
      </nav>
      <div className="buttons waiting-place">
        {isNew ? <SaveView key={name} q={q} from={from} onChange={answer.reload} /> : null}
        {isChanged ? (
          <Link to={pages.letters(from.q, null, from.name)} look="button">
            Back to {inWords(from)}
          </Link>
        ) : null}
        {from !== undefined && !isChanged && from.kind !== "built-in" ? (
          <ForgetView view={from} onChange={answer.reload} />
        ) : null}
      </div>
    </>
  );
}

function Changed() {
  return (
    <>
      {" "}
      <span aria-hidden="true">●</span>
      <span className="unseen">, changed</span>
    </>
  );
}

function inWords({ name, kind }: View): string {
  if (kind !== "built-in") return name;
  const words = name.replaceAll("-", " ").replace("24h", "24 h");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

interface SaveViewProps {
  readonly q: string;
  readonly from: View | undefined;
  readonly onChange: () => void;
}

function SaveView({ q, from, onChange }: SaveViewProps) {
  const [name, setName] = useState(from === undefined || from.kind === "built-in" ? "" : from.name);
  const act = (isShared: boolean) => (
    <Act
      operation={isShared ? "views.share" : "views.save"}
      label={isShared ? "Save for everybody" : "Save this search"}
      reason="none"
      command={() => `dlo views save ${name || "NAME"} -q ${quoted(q)}${isShared ? " --shared" : ""}`}
      input={() => ({ name, q })}
      onDone={onChange}
    >
      <p>
        <code>{q}</code>
      </p>
      <label className="field">
        What it is called; one of that name is replaced
        <input
          required
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
          title="letters, digits, dots, dashes and underscores"
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
        />
      </label>
    </Act>
  );
  return (
    <>
      {act(false)}
      {act(true)}
    </>
  );
}

function ForgetView({ view: { name, kind }, onChange }: { readonly view: View; readonly onChange: () => void }) {
  const isShared = kind === "shared";
  return (
    <Act
      operation={isShared ? "views.unshare" : "views.remove"}
      label={`Forget ${name}`}
      reason="none"
      command={() => `dlo views remove ${name}${isShared ? " --shared" : ""}`}
      input={() => ({ name })}
      onDone={onChange}
    >
      <p>{isShared ? "Nobody has it any more." : "You do not have it any more."} Its letters stay as they are.</p>
    </Act>
  );
}
