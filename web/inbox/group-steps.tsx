import type { OutputOf } from "../../src/office/operations/operations.ts";
import { basePath } from "../app/office.ts";
import { pages } from "../app/routes.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { RecordFix } from "./record-fix.tsx";

export type Group = OutputOf<"groups.get">;

/** What each category means for whoever was paged. */
const protocols: Readonly<Record<Group["category"], string>> = {
  transient: "Nothing was wrong with them: they may go back, gently, once what they need is well again.",
  schema_mismatch: "They wait for a consumer that understands them. A plan says which of them one that runs now reads.",
  business_rule: "A rule refused them. Each is decided on its own; sending them back together is not allowed.",
  poison: "The handler broke on them. They may go back once a fix is recorded, those that failed before it.",
  lost_context: "What they were about is gone. They never go back: drop them, compensate, or hand them on.",
  unknown: "What they are is not known, so none goes back. Look at one, and write a rule that says what it is.",
};

interface GroupStepsProps {
  readonly group: Group;
  readonly onChange: () => void;
}

/** The one next step, large; what else may be done, small. Never a button that is merely greyed out. */
export function GroupSteps({ group, onChange }: GroupStepsProps) {
  const { id, category, nextStep, open } = group;
  const q = `group:${id}`;
  const mayPlan = nextStep.code === "replay.plan" || nextStep.code === "deploy.wait";
  return (
    <section aria-labelledby="step" className="actions">
      <h2 id="step">Next: {nextStep.label}</h2>
      <p>{protocols[category]}</p>
      <div className="buttons">
        {mayPlan && open > 0 ? (
          <Link to={pages.plan({ group: id })} look={nextStep.code === "replay.plan" ? "first" : "button"} plan>
            {nextStep.code === "replay.plan"
              ? `Plan a replay of ${showLetters(open)}`
              : `See which of ${showCount(open)} could go`}
          </Link>
        ) : null}
        {category === "poison" ? <RecordFix group={group} isFirst={!mayPlan} onChange={onChange} /> : null}
        {["business_rule", "lost_context", "unknown"].includes(category) && open > 0 ? (
          <Link to={pages.letters(`${q} is:open`)} look="first">
            {category === "unknown" ? "Look at them" : `Decide ${showLetters(open)}`}
          </Link>
        ) : null}
        <CopyButton text={summaryOf(group)} label="Copy summary" />
      </div>
    </section>
  );
}

/** The office's own words, as `dlo report` has them too, and where to look. */
function summaryOf({ id, summary }: Group): string {
  return `${summary}\n${location.origin}${basePath}${pages.group(id)}`;
}
