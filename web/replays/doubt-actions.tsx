import { pages } from "../app/routes.ts";
import { Act } from "../ui/act.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { quoted } from "../ui/quoted.ts";
import type { ReplayActionProps } from "./replay-actions.tsx";

/** A crash came between sending and knowing: where no evidence comes, a person says what became of it. */
export function DoubtActions({ replay: { id, counts }, onChange }: ReplayActionProps) {
  const n = counts.inDoubt;
  return (
    <div className="trouble">
      <p>
        Of {showLetters(n)} it is in doubt whether they were sent. A report or a return settles that by itself; where
        neither comes, <Link to={pages.replay(id, { state: "in_doubt" })}>look for them</Link> where they would be.
      </p>
      <div className="buttons">
        <Act
          operation="replays.settle"
          label={`Treat ${showCount(n)} as sent`}
          command={(why) =>
            `dlo replay settle ${id} --expect-count ${n} --treat-as-sent --reason ${quoted(why || "…")}`
          }
          input={(reason) => ({ id, reason, verdict: "sent", expectCount: n })}
          onDone={onChange}
        >
          <p>They are at their destination: you looked.</p>
        </Act>
        <Act
          operation="replays.settle"
          label={`Open ${showCount(n)} again`}
          command={(why) => `dlo replay settle ${id} --expect-count ${n} --plan-again --reason ${quoted(why || "…")}`}
          input={(reason) => ({ id, reason, verdict: "plan_again", expectCount: n })}
          onDone={onChange}
        >
          <p>Their letters are open again, to be planned anew. If they had been sent after all, they arrive twice.</p>
        </Act>
      </div>
    </div>
  );
}
