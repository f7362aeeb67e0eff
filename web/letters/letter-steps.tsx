import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { Ago } from "../ui/age.tsx";
import { inWords } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";
import { Decisions } from "./letters-selection.tsx";

type Letter = OutputOf<"letters.get">;
type Outlook = OutputOf<"letters.outlook">;

interface LetterStepsProps {
  readonly letter: Letter;
  readonly onChange: () => void;
}

/** What may be done with this one alone, and what was decided about it. */
export function LetterSteps({ letter, onChange }: LetterStepsProps) {
  const { state } = letter;
  if (["dropped", "compensated", "escalated"].includes(state)) return <Decided letter={letter} onChange={onChange} />;
  if (!["open", "returned", "in_doubt"].includes(state)) return <OnItsWay letter={letter} />;
  return <NextStep letter={letter} onChange={onChange} />;
}

const headings: Readonly<Record<Outlook["outlook"], string>> = {
  ready: "It may go back",
  "needs-approval": "It may go back, with somebody's yes",
  "needs-acknowledgement": "It may go back, once you answer for a risk",
  blocked: "It cannot go back yet",
  never: "It does not go back",
};

/** As a plan made now would judge it. Planning is offered where it leads somewhere, and never as a button that is merely grey. */
function NextStep({ letter: { id, group }, onChange }: LetterStepsProps) {
  const answer = useAnswer("letters.outlook", { id });
  const { data } = answer;
  const isOpen = data !== null && data.outlook !== "blocked" && data.outlook !== "never";
  return (
    <section aria-labelledby="step" className="actions outlook">
      <h2 id="step">{data === null ? "What may become of it" : headings[data.outlook]}</h2>
      <Trouble answer={answer} />
      {data === null ? null : <Why reason={data.reason} />}
      <div className="buttons">
        {isOpen ? (
          <Link to={pages.plan({ ids: id })} look="first" plan>
            Plan a replay of this letter
          </Link>
        ) : null}
        {data !== null && /^(destination\.(?!not_checked)|source\.)/.test(data.reason.code) ? (
          <Link to={pages.plan({ ids: id })} look="button" plan>
            Plan it to another queue
          </Link>
        ) : null}
        {data?.reason.code.startsWith("fix.") ? (
          <Link to={pages.group(group)} look="first">
            To its group, to record a fix
          </Link>
        ) : null}
        <Link to={pages.edit(id)} look="button">
          Edit it first
        </Link>
        <Decisions ids={[id]} onDone={onChange} />
      </div>
    </section>
  );
}

function Why({ reason: { sentence, change } }: Pick<Outlook, "reason">) {
  return (
    <div>
      <p>{sentence}</p>
      {change === "" ? null : <p className="change">{change}</p>}
    </div>
  );
}

/** Who decided it, and why; and the way back, where there is one. */
function Decided({ letter: { id, state, decision }, onChange }: LetterStepsProps) {
  return (
    <section aria-label="Decision" className="actions">
      <p>
        <b>{decision === null ? sentenceCase(inWords(state)) : decided(decision)}</b>
        {decision === null ? (
          ". The audit log has who did, and why."
        ) : (
          <>
            {" "}
            by {decision.by} <Ago since={decision.at} />
            {saidIn(decision)}
          </>
        )}
      </p>
      {decision?.action.startsWith("letters.giv") ? (
        <p>Its dead-letter queue has it again: drained from there, it comes as a new letter.</p>
      ) : (
        <Reopen id={id} onDone={onChange} />
      )}
    </section>
  );
}

/** A decision in the words of its audit entry: `letters.given_back`. */
export function decided({ action }: NonNullable<Letter["decision"]>): string {
  return sentenceCase(inWords(action.replace("letters.", "")));
}

/** What was said with it, after a colon. */
export function saidIn({ reason, reference }: NonNullable<Letter["decision"]>): string {
  const said = [reason, reference].filter((part) => part !== null).join(" · ");
  return said === "" ? "" : `: ${said}`;
}

function sentenceCase(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function Reopen({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  return (
    <div className="buttons">
      <Act
        operation="letters.reopen"
        label="Reopen this letter"
        command={(why) => `dlo reopen ${id} --reason ${quoted(why || "…")}`}
        input={(reason) => ({ letters: [id], reason, expectCount: 1 })}
        onDone={onDone}
      >
        <p>It is open again, and back in the inbox with its group. Nothing is sent by that.</p>
      </Act>
    </div>
  );
}

/** Somebody has it already: which replay, so that nobody has to look for it. */
function OnItsWay({ letter: { state, history } }: { readonly letter: Letter }) {
  const replay = history.findLast((past) => past.replay?.startsWith("rpl_"))?.replay ?? null;
  if (replay === null || state === "expired") return null;
  return (
    <p>
      {sentenceCase(inWords(state))}: see <Link to={pages.replay(replay)}>{replay}</Link>.
    </p>
  );
}
