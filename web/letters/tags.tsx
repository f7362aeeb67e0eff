import { type ReactNode, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { Act } from "../ui/act.tsx";
import { showLetters } from "../ui/counts.ts";
import { Fact } from "../ui/fact.tsx";
import { because } from "../ui/quoted.ts";

/** What tags are on, or are put on. */
type Tagged =
  | { readonly kind: "letters"; readonly ids: readonly string[]; readonly named: string }
  | { readonly kind: "group"; readonly id: string };

interface ChangeProps {
  readonly of: Tagged;
  readonly onChange: () => void;
}

/** The button that puts tags on. */
export function AddTags({ of, onChange }: ChangeProps) {
  const [text, setText] = useState("");
  const tags = text.split(/[\s,]+/).filter((tag) => tag !== "");
  const label = of.kind === "letters" && of.ids.length !== 1 ? `Tag ${showLetters(of.ids.length)}` : "Add tags";
  const done = () => {
    setText("");
    onChange();
  };
  return (
    <ChangeTags of={of} verb="tag" label={label} tags={tags} onDone={done}>
      <label className="field">
        Tags, separated by spaces
        <input required value={text} onChange={({ target }) => setText(target.value)} autoComplete="off" />
      </label>
      <p className="muted">
        {of.kind === "group" ? "All its letters have them, later ones too. " : ""}A search with <code>-tag:hold</code>{" "}
        leaves out what is tagged <code>hold</code>.
      </p>
    </ChangeTags>
  );
}

/** The button that takes one off, where there is any. */
export function RemoveTag({ of, own, onChange }: ChangeProps & { readonly own: readonly string[] }) {
  const [chosen, choose] = useState("");
  const tag = own.includes(chosen) ? chosen : own[0];
  if (tag === undefined) return null;
  return (
    <ChangeTags of={of} verb="untag" label="Remove a tag" tags={[tag]} onDone={onChange}>
      <label className="field">
        Tag
        <select value={tag} onChange={({ target }) => choose(target.value)}>
          {own.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <p className="muted">Searches that leave this tag out find {of.kind === "group" ? "its letters" : "it"} again.</p>
    </ChangeTags>
  );
}

interface ChangeTagsProps {
  readonly of: Tagged;
  readonly verb: "tag" | "untag";
  readonly label: string;
  readonly tags: readonly string[];
  readonly onDone: () => void;
  readonly children: ReactNode;
}

function ChangeTags({ of, verb, label, tags, onDone, children }: ChangeTagsProps) {
  const flags = (tags.length === 0 ? ["…"] : tags).map((tag) => `--tag ${tag}`).join(" ");
  const common = { label, reason: "optional", onDone } as const;
  return of.kind === "group" ? (
    <Act
      {...common}
      operation={`groups.${verb}`}
      command={(why) => `dlo groups ${verb} ${of.id} ${flags}${because(why)}`}
      input={(reason) => ({ id: of.id, tags: [...tags], reason })}
    >
      {children}
    </Act>
  ) : (
    <Act
      {...common}
      operation={`letters.${verb}`}
      command={(why) => `dlo letters ${verb} ${of.named} ${flags}${because(why)}`}
      input={(reason) => ({ letters: [...of.ids], tags: [...tags], reason, expectCount: of.ids.length })}
    >
      {children}
    </Act>
  );
}

interface TagsFactProps {
  readonly tags: readonly (OutputOf<"groups.get">["tags"][number] & { readonly of?: "letter" | "group" })[];
}

/** What is tagged, and by whom; nothing where nothing is. */
export function TagsFact({ tags }: TagsFactProps) {
  if (tags.length === 0) return null;
  return (
    <Fact name="Tags">
      {tags.map(({ tag, by, of }, place) => (
        <span key={`${of} ${tag}`} title={`by ${by}`}>
          {place === 0 ? "" : ", "}
          {tag}
          {of === "group" ? " (its group's)" : ""}
        </span>
      ))}
    </Fact>
  );
}

interface LetterTagsProps extends TagsFactProps {
  readonly id: string;
  readonly onChange: () => void;
}

/** Puts tags on one letter and takes its own off; those of its group are changed on the page of that. */
export function LetterTags({ id, tags, onChange }: LetterTagsProps) {
  const of = { kind: "letters", ids: [id], named: id } as const;
  const own = tags.flatMap((each) => (each.of === "letter" ? [each.tag] : []));
  return (
    <div className="buttons">
      <AddTags of={of} onChange={onChange} />
      <RemoveTag of={of} own={own} onChange={onChange} />
    </div>
  );
}
