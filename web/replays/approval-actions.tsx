import { approveCommand } from "../../src/domain/approve-command.ts";
import { useSession } from "../app/session.ts";
import { Act } from "../ui/act.tsx";
import { showLetters } from "../ui/counts.ts";
import { quoted } from "../ui/quoted.ts";
import type { ReplayActionProps } from "./replay-actions.tsx";
import type { Replay } from "./replay-words.ts";

/** What a second person signs: the plan they see, and the risks somebody answered for, by name. */
export function ApprovalActions({ replay, onChange }: ReplayActionProps) {
  const { actor, may } = useSession();
  const isOwn = replay.requestedBy === actor.id;
  const { approvers } = replay;
  return (
    <>
      {isOwn ? (
        <p className="wide">
          Waits for somebody else: four eyes are two people.{" "}
          {approvers.length === 0 ? "" : `${approvers.join(" or ")} can approve it.`}
        </p>
      ) : (
        <Approve replay={replay} onChange={onChange} />
      )}
      {isOwn ? null : <Reject replay={replay} onChange={onChange} />}
      {may.includes("replays.breakGlass") ? <BreakGlass replay={replay} onChange={onChange} /> : null}
    </>
  );
}

function risksOf({ reasons }: Replay): Replay["reasons"] {
  return reasons.filter(({ decision }) => decision === "acknowledged");
}

function Approve({ replay, onChange }: ReplayActionProps) {
  const { id, approvalHash, counts, requestedBy, reason } = replay;
  const risks = risksOf(replay);
  return (
    <Act
      operation="replays.approve"
      tone="first"
      reason="optional"
      label={`Approve ${showLetters(counts.toSend)}`}
      command={(why) => `${approveCommand(replay)}${why === "" ? "" : ` --reason ${quoted(why)}`}`}
      input={(why) => ({ id, hash: approvalHash, risks: replay.risks, reason: why })}
      onDone={onChange}
    >
      <p>
        {requestedBy} asks: {reason ?? "no reason was given"}. Your word is for exactly this plan; whoever asked sends
        it.
      </p>
      {risks.length === 0 ? null : (
        <>
          <p>You accept that {requestedBy} answered for:</p>
          <ul>
            {risks.map(({ code, n, sentence }) => (
              <li key={code}>
                {showLetters(n)}: {sentence} <code>{code}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Act>
  );
}

function Reject({ replay: { id }, onChange }: ReplayActionProps) {
  return (
    <Act
      operation="replays.reject"
      tone="danger"
      label="Reject it"
      keep="Not yet"
      command={(why) => `dlo replay reject ${id} --reason ${quoted(why || "…")}`}
      input={(reason) => ({ id, reason })}
      onDone={onChange}
    >
      <p>It ends here, for good. Nothing was sent.</p>
    </Act>
  );
}

function BreakGlass({ replay: { id, counts }, onChange }: ReplayActionProps) {
  return (
    <Act
      operation="replays.breakGlass"
      tone="danger"
      label={`Break glass for ${showLetters(counts.toSend)}`}
      keep="Wait for an approval"
      command={(why) => `dlo replay break-glass ${id} --reason ${quoted(why || "…")}`}
      input={(reason) => ({ id, reason })}
      onDone={onChange}
    >
      <p>
        You stand in for the approvals that are missing, and for nothing else: what the policy forbids stays forbidden.
        It stays on this replay, in red, for ever.
      </p>
    </Act>
  );
}
