import { useState } from "react";
import { columnsIn, type LetterColumn } from "../../src/domain/letter-columns.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { type LetterList, pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { Link } from "../ui/link.tsx";
import { quoted } from "../ui/quoted.ts";
import { chosenSort, sortOf } from "./list-choices.tsx";

type View = OutputOf<"views.list">["items"][number];

interface ViewsProps {
  readonly q: string;
  readonly list: LetterList;
}

/** Searches that somebody comes back to, as tabs; one that was changed says so. */
export function Views({ q, list }: ViewsProps) {
  const answer = useAnswer("views.list", {}, null);
  const views = answer.data?.items ?? [];
  const { view: name } = list;
  const from = views.find((each) => each.name === name);
  const isShown = (view: View) => view.q === q && isSameList(listOf(view), list);
  const isChanged = from !== undefined && !isShown(from);
  const isNew = answer.data !== null && q !== "" && !views.some(isShown);
  return (
    <>
      <nav aria-label="Views" className="tabs">
        <Link to={pages.letters()} current={q === "" && name === ""}>
          All
        </Link>
        {views.map((view) => (
          <Link
            key={`${view.kind} ${view.name}`}
            to={pages.letters(view.q, null, listOf(view))}
            current={view === from}
          >
            {inWords(view)}
            {view === from && isChanged ? <Changed /> : null}
          </Link>
        ))}
      </nav>
      <div className="buttons views-place">
        {isNew ? <SaveView key={name} q={q} list={list} from={from} onChange={answer.reload} /> : null}
        {isChanged ? (
          <Link to={pages.letters(from.q, null, listOf(from))} look="button">
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

/** A list as its view has it. */
export function listOf({ name, sort, cols }: Pick<View, "name" | "sort" | "cols">): LetterList {
  return { view: name, sort: chosenSort({ sort }) ?? "", cols: cols.join(",") };
}

/** What somebody chose; none where it is the usual. */
function colsOf({ cols }: LetterList): readonly LetterColumn[] {
  return cols === "" ? [] : columnsIn(cols);
}

function isSameList(one: LetterList, other: LetterList): boolean {
  return sortOf(one) === sortOf(other) && columnsIn(one.cols).join() === columnsIn(other.cols).join();
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
  readonly list: LetterList;
  readonly from: View | undefined;
  readonly onChange: () => void;
}

function SaveView({ q, list, from, onChange }: SaveViewProps) {
  const [name, setName] = useState(from === undefined || from.kind === "built-in" ? "" : from.name);
  const sort = chosenSort(list);
  const shown = [
    ...(sort === null ? [] : [` --sort=${sort}`]),
    ...(colsOf(list).length === 0 ? [] : [` --cols ${colsOf(list).join(",")}`]),
  ].join("");
  const act = (isShared: boolean) => (
    <Act
      operation={isShared ? "views.share" : "views.save"}
      label={isShared ? "Save for everybody" : "Save this search"}
      reason="none"
      command={() => `dlo views save ${name || "NAME"} -q ${quoted(q)}${shown}${isShared ? " --shared" : ""}`}
      input={() => ({ name, q, sort, cols: [...colsOf(list)] })}
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
