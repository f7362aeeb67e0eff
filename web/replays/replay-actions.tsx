import { useSession } from "../app/session.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { quoted } from "../ui/quoted.ts";
import { ApprovalActions } from "./approval-actions.tsx";
import { DoubtActions } from "./doubt-actions.tsx";
import { type Replay, whereTo } from "./replay-words.ts";

export interface ReplayActionProps {
  readonly replay: Replay;
  readonly onChange: () => void;
}

/** More letters than this are typed before they are sent. */
const typedAbove = 100;

/** What may be done about it now: the one next step first. */
export function ReplayActions({ replay, onChange }: ReplayActionProps) {
  const { state, counts } = replay;
  const given = { replay, onChange };
  // One that needed no approval may need one since: whoever planned it replayed others meanwhile.
  const mustAsk = state === "planned" || (state === "approved" && replay.nextStep.code === "ask");
  return (
    <section aria-labelledby="next" className="actions">
      <h2 id="next">Next</h2>
      <div className="buttons">
        {mustAsk ? <AskFor {...given} /> : null}
        {state === "awaiting_approval" ? <ApprovalActions {...given} /> : null}
        {state === "approved" && !mustAsk ? <Run {...given} /> : null}
        {state === "running" || state === "settling" ? <Pause {...given} /> : null}
        {state === "paused" || state === "halted" ? <Resume {...given} /> : null}
        <Revoke {...given} />
        <Cancel {...given} />
      </div>
      {counts.inDoubt > 0 ? <DoubtActions {...given} /> : null}
      <Nothing replay={replay} />
    </section>
  );
}

function AskFor({ replay: { id, counts, approvalsNeeded, approvers, exemption }, onChange }: ReplayActionProps) {
  if (counts.toSend === 0) {
    return <p>Nothing in this plan can be sent as things are. The decisions below say what would change that.</p>;
  }
  const count = showLetters(counts.toSend);
  const left = counts.ackRequired === 0 ? "" : ` The ${showLetters(counts.ackRequired)} nobody answered for stay.`;
  return (
    <Act
      operation="replays.ask"
      tone="first"
      label={approvalsNeeded === 0 ? `Go ahead with ${count}` : `Ask for approval of ${count}`}
      command={(why) => `dlo replay ask ${id} --reason ${quoted(why || "…")}`}
      input={(reason) => ({ id, reason })}
      onDone={onChange}
    >
      <p>
        {approvalsNeeded === 0
          ? `The policy asks for no second person here. ${dayLeft(exemption)}Nothing is sent yet: sending is a step of its own.`
          : `It needs ${approvalsNeeded} ${approvalsNeeded === 1 ? "approval" : "approvals"}${approvers.length === 0 ? "" : `, of ${approvers.join(" or ")}`}. Nothing is sent yet.`}
        {left}
      </p>
    </Act>
  );
}

/** What whoever planned it may still replay today without a second person. */
function dayLeft(exemption: Replay["exemption"]): string {
  if (exemption === null || exemption.queues.length === 0) return "";
  const left = exemption.queues.map(
    ({ queue, replayed, limit }) => `${showCount(limit - replayed)} more letters of ${queue}`,
  );
  return `${exemption.person ?? "The user who starts it"} may replay ${left.join(", ")} without approval today. `;
}

function Run({ replay, onChange }: ReplayActionProps) {
  const { id, counts, limits } = replay;
  const stopped = useAnswer("status.get", {}).data?.stopped ?? null;
  const n = counts.toSend;
  return (
    <Act
      operation="replays.start"
      tone="first"
      label={`Send ${showLetters(n)}`}
      reason="none"
      typed={n > typedAbove ? n : null}
      blocked={stopped === null ? null : `${stopped.by} stopped all sending. Release it first.`}
      command={() => `dlo replay run ${id} --expect-count ${n}`}
      input={() => ({ id, expectCount: n })}
      onDone={onChange}
    >
      <p>
        {showLetters(n)} go to {whereTo(replay)}: {[...limits.ramp, "rest"].join(" → ")}, at most {limits.rate} a
        second. What was sent cannot be recalled.
      </p>
    </Act>
  );
}

function Pause({ replay: { id, counts }, onChange }: ReplayActionProps) {
  return (
    <Act
      operation="replays.pause"
      label="Pause"
      reason="optional"
      keep="Keep running"
      command={(why) => `dlo replay pause ${id}${why === "" ? "" : ` --reason ${quoted(why)}`}`}
      input={(reason) => ({ id, reason })}
      onDone={onChange}
    >
      <p>{showCount(counts.notYetSent)} not yet sent wait until somebody resumes it. What is under way is finished.</p>
    </Act>
  );
}

function Resume({ replay: { id, counts, state }, onChange }: ReplayActionProps) {
  const label = counts.unknown > 0 ? `Continue unverified with ${showCount(counts.notYetSent)}` : "Resume";
  return (
    <Act
      operation="replays.resume"
      tone={state === "paused" ? "first" : "plain"}
      label={counts.notYetSent > 0 && counts.unknown === 0 ? `Resume with ${showLetters(counts.notYetSent)}` : label}
      command={(why) => `dlo replay resume ${id} --reason ${quoted(why || "…")}`}
      input={(reason) => ({ id, reason })}
      onDone={onChange}
    >
      <p>
        {showCount(counts.returned)} of {showCount(counts.sent)} sent came back
        {counts.unknown === 0 ? "" : `, and nobody knows what became of ${showCount(counts.unknown)}`}. Going on is your
        word that this is all right; returns are counted anew from here.
      </p>
    </Act>
  );
}

function Revoke({ replay: { id, approvals, state }, onChange }: ReplayActionProps) {
  const { actor } = useSession();
  const own = approvals.filter((approval) => approval.actor === actor.id).at(-1);
  const isLive = ["awaiting_approval", "approved", "running", "paused", "settling", "halted"].includes(state);
  if (own?.verdict !== "approved" || !isLive) return null;
  return (
    <Act
      operation="replays.revoke"
      label="Take my approval back"
      keep="Let it stand"
      command={(why) => `dlo replay revoke ${id} --reason ${quoted(why || "…")}`}
      input={(reason) => ({ id, reason })}
      onDone={onChange}
    >
      <p>One that runs sends nothing more from its next window on. What was sent cannot be recalled.</p>
    </Act>
  );
}

function Cancel({ replay: { id, counts, state }, onChange }: ReplayActionProps) {
  if (["finished", "cancelled", "rejected", "expired"].includes(state)) return null;
  const gone = counts.sent + counts.inDoubt;
  const hasBegun = gone > 0;
  return (
    <Act
      operation="replays.cancel"
      tone="danger"
      label={hasBegun ? `Cancel the remaining ${showCount(counts.notYetSent)}` : "Cancel this replay"}
      reason="optional"
      keep={hasBegun ? "Keep it" : "Keep the plan"}
      command={(why) => `dlo replay cancel ${id}${why === "" ? "" : ` --reason ${quoted(why)}`}`}
      input={(reason) => ({ id, reason })}
      onDone={onChange}
    >
      <p>
        Stops {showCount(counts.notYetSent)} not yet sent; they go free for another plan.{" "}
        {hasBegun ? `${showCount(gone)} already sent cannot be recalled.` : "Nothing was sent."}
      </p>
    </Act>
  );
}

const endings: Readonly<Partial<Record<Replay["state"], string>>> = {
  finished: "It is over. Letters that come back later are added to it.",
  cancelled: "It was cancelled. What was not sent is free for another plan.",
  rejected: "Somebody said no. Nothing was sent; plan again to try another way.",
  expired: "Its time ran out before it was started. Nothing was sent; plan it again.",
};

function Nothing({ replay: { state } }: Pick<ReplayActionProps, "replay">) {
  const words = endings[state];
  return words === undefined ? null : <p className="muted">{words}</p>;
}
