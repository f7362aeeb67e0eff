import { useState } from "react";
import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";
import { useAction } from "../app/use-action.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { because, quoted } from "../ui/quoted.ts";
import type { Group } from "./group-steps.tsx";

interface RegroupProps {
  readonly group: Group;
  readonly onDone: () => void;
}

/** Where one group holds two problems. */
export function SplitGroup({ group: { id }, onDone }: RegroupProps) {
  const [when, setWhen] = useState("");
  const [title, setTitle] = useState("");
  const called = title.trim() === "" ? "" : ` --title ${quoted(title.trim())}`;
  return (
    <Act
      operation="groups.split"
      label="Split…"
      command={(why) => `dlo groups split ${id} --when ${quoted(when || "…")}${called}${because(why)}`}
      input={(reason) => ({ id, when, title: title.trim() || null, reason })}
      onDone={onDone}
    >
      <p>Letters that fit the condition get a group of their own, those that come later too. It can be undone.</p>
      <label className="field">
        {`Which letters go, in CEL, such as letter.tenant == "acme" or error.http == 429`}
        <input required value={when} onChange={({ target }) => setWhen(target.value)} autoComplete="off" />
      </label>
      <Preview key={when} change={when.trim() === "" ? null : { id, when }} />
      <label className="field">
        What the new group is called; if empty, as this one, with the condition
        <input value={title} maxLength={500} onChange={({ target }) => setTitle(target.value)} autoComplete="off" />
      </label>
    </Act>
  );
}

/** Nobody looks through more. */
const listed = 200;

/** Where two groups are one problem. */
export function MergeGroup({ group, onDone }: RegroupProps) {
  const { id, source, queue } = group;
  const [into, setInto] = useState("");
  // Only for whoever opens the form: one look when the page opens is enough.
  const groups = useAnswer("groups.list", { q: `queue:${JSON.stringify(queue)}`, limit: listed }, null);
  const others = groups.data?.items.filter((each) => isOther(each, { id, source, queue })) ?? [];
  return (
    <Act
      operation="groups.merge"
      label="Merge with…"
      blocked={groups.data !== null && others.length === 0 ? `${source}/${queue} has no other group.` : null}
      command={(why) => `dlo groups merge ${id} --into ${into || "…"}${because(why)}`}
      input={(reason) => ({ id, into, reason })}
      onDone={onDone}
    >
      <p>Its letters belong to the other group from now on, those that come later too. It can be undone.</p>
      <label className="field">
        Which group of {source}/{queue} they belong to
        <select required value={into} onChange={({ target }) => setInto(target.value)}>
          <option value="">Choose a group</option>
          {others.map((each) => (
            <option key={each.id} value={each.id}>
              {`${each.title}, ${showCount(each.open)} open (${each.id})`}
            </option>
          ))}
        </select>
      </label>
      {groups.data?.items.length === listed ? (
        <p>Only the {listed} groups with most open letters are listed. The command takes any other.</p>
      ) : null}
      <Preview key={into} change={into === "" ? null : { id, into }} />
    </Act>
  );
}

type Place = Pick<OutputOf<"groups.list">["items"][number], "id" | "source" | "queue">;

/** Only groups of one queue can be one. */
function isOther(each: Place, { id, source, queue }: Place): boolean {
  return each.id !== id && each.source === source && each.queue === queue;
}

/** How many letters would move; nothing is changed by looking. */
function Preview({ change }: { readonly change: InputOf<"groups.preview"> | null }) {
  const action = useAction("groups.preview");
  const [found, setFound] = useState<OutputOf<"groups.preview"> | null>(null);
  const look = () => {
    if (change !== null) void action.run(change).then(setFound);
  };
  return (
    <p>
      <button type="button" aria-disabled={change === null || action.isBusy} onClick={look}>
        {action.isBusy ? "Looking…" : "How many would move?"}
      </button>{" "}
      <span role="status">{found === null ? "" : inWords(found)}</span>
      {action.refused === null ? null : (
        <span role="alert" className="trouble">
          {action.refused.message} {action.refused.hint}
        </span>
      )}
    </p>
  );
}

function inWords({ moving, letters, looked }: OutputOf<"groups.preview">): string {
  const of = looked === letters ? showLetters(letters) : `the newest ${showCount(looked)} of ${showLetters(letters)}`;
  return `${showCount(moving)} of ${of} would move. Nothing was changed.`;
}
