import { pages } from "../app/routes.ts";
import { Act } from "../ui/act.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { quoted } from "../ui/quoted.ts";
import type { Replay } from "./replay-words.ts";

type Reason = Replay["reasons"][number];

const sections: readonly { readonly title: string; readonly of: readonly Reason["decision"][] }[] = [
  { title: "Need somebody's word", of: ["ack_required"] },
  { title: "Will not be sent", of: ["skip"] },
  { title: "Somebody answered for it", of: ["acknowledged"] },
  { title: "Left out", of: ["excluded"] },
  { title: "Dropped out when their turn came", of: ["drifted"] },
  { title: "Will be sent", of: ["replay"] },
];

/** Why each letter goes or does not, alike ones together, with what would change it. */
export function ReplayReasons({ replay, onChange }: { readonly replay: Replay; readonly onChange: () => void }) {
  return (
    <section aria-labelledby="reasons">
      <h2 id="reasons">Decisions</h2>
      {sections.map(({ title, of }) => (
        <ReasonSection
          key={title}
          title={title}
          reasons={replay.reasons.filter(({ decision }) => of.includes(decision))}
          replay={replay}
          onChange={onChange}
        />
      ))}
    </section>
  );
}

interface ReasonSectionProps {
  readonly title: string;
  readonly reasons: readonly Reason[];
  readonly replay: Replay;
  readonly onChange: () => void;
}

function ReasonSection({ title, reasons, replay, onChange }: ReasonSectionProps) {
  if (reasons.length === 0) return null;
  const total = reasons.reduce((sum, { n }) => sum + n, 0);
  return (
    <div className="reasons">
      <h3>
        {title} <span className="muted">{showCount(total)}</span>
      </h3>
      <ul>
        {reasons.map((reason) => (
          <li key={`${reason.decision}/${reason.code}/${reason.sentence}/${reason.change}`}>
            <b className="n">{showCount(reason.n)}</b>
            <div>
              {reason.sentence} <code className="muted">{reason.code}</code>
              {reason.change === "" ? null : <p className="change">{reason.change}</p>}
              {reason.decision === "ack_required" && replay.state === "planned" ? (
                <Acknowledge replay={replay} reason={reason} onChange={onChange} />
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface AcknowledgeProps {
  readonly replay: Replay;
  readonly reason: Reason;
  readonly onChange: () => void;
}

/** Off unless somebody says that it did not happen, or does not matter. */
function Acknowledge({ replay: { id }, reason: { code, n, sentence }, onChange }: AcknowledgeProps) {
  return (
    <div className="buttons">
      <Act
        operation="replays.acknowledge"
        label={`Answer for ${showLetters(n)}`}
        command={(why) => `dlo replay acknowledge ${id} --code ${code} --reason ${quoted(why || "…")}`}
        input={(reason) => ({ id, code, reason })}
        onDone={onChange}
      >
        <p>{sentence}</p>
        <p>They are then sent with the others, and whoever approves is told that you answered for {code}.</p>
      </Act>
      <Link to={pages.replay(id, { decision: "ack_required" })}>one by one</Link>
    </div>
  );
}
