import { useState } from "react";
import type { InputOf } from "../../src/office/operations/operations.ts";
import { Act, type ActProps } from "../ui/act.tsx";
import { showLetters } from "../ui/counts.ts";
import { type Category, protocols } from "../ui/protocols.ts";
import { quoted } from "../ui/quoted.ts";

interface Said {
  /** Empty until somebody says so: a word by mistake would keep rules from speaking. */
  readonly category: Category | "";
  readonly sideEffect: (InputOf<"groups.classify">["sideEffect"] & string) | null;
}

interface ClassifyLettersProps {
  readonly ids: readonly string[];
  /** The letters as the command line names them. */
  readonly named: string;
  readonly onDone: () => void;
}

/** Says what letters are, where evidence said something else or nothing. */
export function ClassifyLetters({ ids, named, onDone }: ClassifyLettersProps) {
  const [said, setSaid] = useState<Said>(nothingSaid);
  return (
    <span data-key="c">
      <Act
        operation="letters.classify"
        label={`Classify ${showLetters(ids.length)}`}
        command={(why) => `dlo letters classify ${named} ${inFlags(said)} --reason ${quoted(why || "…")}`}
        input={(reason) => ({ letters: [...ids], ...saidOf(said), reason, expectCount: ids.length })}
        onDone={onDone}
      >
        <WhatTheyAre said={said} onChange={setSaid} />
      </Act>
    </span>
  );
}

interface ClassifyGroupProps {
  readonly group: { readonly id: string; readonly open: number };
  readonly isFirst: boolean;
  readonly onDone: (category: Category) => void;
}

/** All that are open now; what comes later is judged by its evidence. */
export function ClassifyGroup(props: ClassifyGroupProps) {
  return (
    <span data-key="c">
      <Act {...useClassifyGroup(props)} />
    </span>
  );
}

/** What is asked before it is done, wherever that is. */
export function useClassifyGroup({
  group: { id, open },
  isFirst,
  onDone,
}: ClassifyGroupProps): ActProps<"groups.classify"> {
  const [said, setSaid] = useState<Said>(nothingSaid);
  return {
    operation: "groups.classify",
    tone: isFirst ? "first" : "plain",
    label: `Classify ${showLetters(open)}`,
    command: (why) => `dlo groups classify ${id} ${inFlags(said)} --reason ${quoted(why || "…")}`,
    input: (reason) => ({ id, ...saidOf(said), reason, expectCount: open }),
    onDone: () => onDone(saidOf(said).category),
    children: (
      <>
        <WhatTheyAre said={said} onChange={setSaid} />
        <p>Letters that come later are judged by their evidence. A rule of the policy can speak for those too.</p>
      </>
    ),
  };
}

const nothingSaid: Said = { category: "", sideEffect: null };

/** As the office takes it: the form lets nobody send it without a category. */
function saidOf({ category, sideEffect }: Said) {
  return { category: category || ("unknown" as const), sideEffect };
}

function inFlags({ category, sideEffect }: Said): string {
  return `--as ${category || "…"}${sideEffect ? ` --side-effect ${sideEffect}` : ""}`;
}

interface WhatTheyAreProps {
  readonly said: Said;
  readonly onChange: (said: Said) => void;
}

function WhatTheyAre({ said, onChange }: WhatTheyAreProps) {
  return (
    <>
      <p>
        What they were on arrival is kept, and so is all they were called since. Classify them back to take it back.
      </p>
      <label className="field">
        They are
        <select
          required
          value={said.category}
          onChange={({ target }) => onChange({ ...said, category: target.value as Category })}
        >
          <option value="" disabled>
            Choose
          </option>
          {Object.keys(protocols).map((category) => (
            <option key={category} value={category}>
              {category.replace("_", " ")}
            </option>
          ))}
        </select>
      </label>
      {said.category === "" ? null : <p className="muted">{protocols[said.category]}</p>}
      <label className="field">
        Whether an attempt may have taken effect outside
        <select
          value={said.sideEffect ?? ""}
          onChange={({ target }) => onChange({ ...said, sideEffect: (target.value || null) as Said["sideEffect"] })}
        >
          <option value="">as it was judged</option>
          <option value="none">no, none did</option>
          <option value="uncertain">it may have</option>
        </select>
      </label>
    </>
  );
}
