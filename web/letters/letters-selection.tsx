import { pages } from "../app/routes.ts";
import { Act } from "../ui/act.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { quoted } from "../ui/quoted.ts";
import { ClassifyLetters } from "./classify.tsx";
import { GiveBack } from "./give-back.tsx";
import { AddTags } from "./tags.tsx";
import type { LetterSelection } from "./use-selection.ts";

export interface SelectionBarProps {
  readonly q: string;
  readonly selection: LetterSelection;
  /** Those of the page. */
  readonly shown: readonly string[];
  /** How many the search finds; null while that is counted. */
  readonly matching: { readonly n: number; readonly isExact: boolean } | null;
  readonly onChange: () => void;
  /** They are called otherwise, and may be planned or decided as before. */
  readonly onClassify: () => void;
}

/** What is selected, exactly, and what may be done with it. */
export function SelectionBar({ q, selection, shown, matching, onChange, onClassify }: SelectionBarProps) {
  const { ids, isAll } = selection;
  if (ids.size === 0 && !isAll) return null;
  const isPage = shown.length > 1 && ids.size === shown.length && shown.every((id) => ids.has(id));
  const count = matching === null ? "" : `${matching.isExact ? "" : "more than "}${showCount(matching.n)}`;
  return (
    <section className="chosen" aria-label="Selection">
      <span role="status">
        {isAll
          ? `All ${count} matching selected, frozen when you plan`
          : `${showCount(ids.size)} selected${isPage ? " (this page)" : ""}`}
      </span>
      {isPage && !isAll && q.trim() !== "" && matching !== null && matching.n > ids.size ? (
        <button type="button" className="small" onClick={selection.chooseAll}>
          Select all {count} matching
        </button>
      ) : null}
      <Link to={isAll ? pages.plan({ q }) : pages.plan({ ids: [...ids].join(",") })} look="first" plan>
        {isAll ? "Plan a replay of all matching" : `Plan a replay of ${showLetters(ids.size)}`}
      </Link>
      {isAll ? null : <Decisions ids={[...ids]} onDone={onChange} onClassify={onClassify} />}
      {isAll ? null : <AddTags of={{ kind: "letters", ids: [...ids], named: named([...ids]) }} onChange={onClassify} />}
      <button type="button" className="small" onClick={selection.clear}>
        Clear <kbd>Esc</kbd>
      </button>
    </section>
  );
}

interface DecisionsProps {
  readonly ids: readonly string[];
  readonly onDone: () => void;
  /** @default as once it is decided */
  readonly onClassify?: () => void;
}

const decisions = [
  ["letters.drop", "drop", "Drop", "They stay in the ledger and can be reopened; nobody is asked about them any more."],
  ["letters.compensate", "compensate", "Compensate", "What was done instead of sending them back is your reason."],
  [
    "letters.escalate",
    "escalate",
    "Escalate",
    "They are somebody else's until they are reopened; say whose, and where.",
  ],
] as const;

function named(ids: readonly string[]): string {
  return ids.length === 1 ? (ids[0] ?? "") : `-q id:${ids.join(",")} --expect-count ${ids.length}`;
}

/** For good, unless somebody reopens them: so each asks why. */
export function Decisions({ ids, onDone, onClassify = onDone }: DecisionsProps) {
  return (
    <div className="buttons" data-decide>
      {decisions.map(([operation, verb, label, words]) => (
        <Act
          key={verb}
          operation={operation}
          label={`${label} ${showLetters(ids.length)}`}
          tone={verb === "drop" ? "danger" : "plain"}
          command={(why) => `dlo ${verb} ${named(ids)} --reason ${quoted(why || "…")}`}
          input={(reason) => ({ letters: [...ids], reason, expectCount: ids.length })}
          onDone={onDone}
        >
          <p>{words}</p>
        </Act>
      ))}
      <GiveBack ids={ids} named={named(ids)} onDone={onDone} />
      <ClassifyLetters ids={ids} named={named(ids)} onDone={onClassify} />
    </div>
  );
}
