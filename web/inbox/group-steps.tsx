import type { OutputOf } from "../../src/office/operations/operations.ts";
import { basePath } from "../app/office.ts";
import { pages } from "../app/routes.ts";
import { ClassifyGroup } from "../letters/classify.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { protocols } from "../ui/protocols.ts";
import { Gates, InReplays } from "./gates.tsx";
import { RecordFix } from "./record-fix.tsx";

export type Group = OutputOf<"groups.get">;

interface GroupStepsProps {
  readonly group: Group;
  readonly onChange: () => void;
}

/** Nothing to take but time; a plan still shows how each letter stands. */
const waits: ReadonlySet<Group["nextStep"]["code"]> = new Set(["deploy.wait", "deploy.record", "breaker.wait"]);

/** The one next step, large; what else may be done, small. Never a button that is merely greyed out. */
export function GroupSteps({ group, onChange }: GroupStepsProps) {
  const { id, category, nextStep, open, gates, inReplays } = group;
  const q = `group:${id}`;
  const { code } = nextStep;
  const mayPlan = code === "replay.plan" || code === "replay.trial";
  // What its category waits for is there.
  const isOpened = mayPlan && category !== "transient";
  const stopped = inReplays.find(({ state }) => state === "halted" || state === "paused");
  return (
    <section aria-labelledby="step" className="actions">
      <h2 id="step">Next: {nextStep.label}</h2>
      <p>{isOpened ? nextStep.sentence : protocols[category]}</p>
      {mayPlan && !isOpened && gates.length === 0 ? <p>{nextStep.sentence}</p> : null}
      <Gates group={group} />
      <InReplays group={group} />
      <div className="buttons">
        {stopped === undefined ? null : (
          <Link to={pages.replay(stopped.replay)} look="first">
            To the replay that is {stopped.state}
          </Link>
        )}
        {mayPlan && open > 0 ? (
          <Link to={pages.plan({ group: id })} look={stopped === undefined ? "first" : "button"} plan>
            {`Plan a ${code === "replay.trial" ? "trial" : "replay"} of ${showLetters(open)}`}
          </Link>
        ) : null}
        {waits.has(code) && open > 0 ? (
          <Link to={pages.plan({ group: id })} look="button" plan>
            See which of {showCount(open)} could go
          </Link>
        ) : null}
        {category === "poison" ? <RecordFix group={group} isFirst={code === "fix.record"} onChange={onChange} /> : null}
        {["business_rule", "lost_context", "unknown"].includes(category) && open > 0 ? (
          <Link to={pages.letters(`${q} is:inbox`)} look={category === "unknown" ? "button" : "first"}>
            {category === "unknown" ? "Look at them" : `Decide ${showLetters(open)}`}
          </Link>
        ) : null}
        {open > 0 ? <ClassifyGroup group={group} isFirst={nextStep.code === "classify"} onDone={onChange} /> : null}
        {category === "transient" ? (
          <Link to={pages.simulator({ of: "past", group: id })} look="button">
            Simulate this outage
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
