import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import type { Answer } from "../app/use-answer.ts";
import { Ago } from "../ui/age.tsx";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";

type Timeline = OutputOf<"groups.timeline">;

/** What was said about a group, done with it and happened around it, newest first; nothing of it is ever deleted. */
export function GroupTimeline({ answer }: { readonly answer: Answer<Timeline> }) {
  const { data } = answer;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Trouble answer={answer} />
      {data?.items.length === 0 ? <p className="muted">Nobody has said or done anything about it yet.</p> : null}
      <ol className="history">
        {data?.items.map((entry) => (
          <li key={`${entry.at} ${entry.kind} ${entry.sentence}`}>
            <Ago since={entry.at} />: {entry.by}{" "}
            {entry.replay === null ? (
              entry.sentence
            ) : (
              <Link to={pages.replay(entry.replay)}>
                {entry.sentence} ({(entry.text ?? "").replace("_", " ")})
              </Link>
            )}
            {entry.text === null || entry.replay !== null ? null : `: ${entry.text}`}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What went live shortly before it began: where to look first, and no more than that. */
export function SuspectDeploy({ suspect }: Pick<Timeline, "suspect">) {
  if (suspect === null) return null;
  return (
    <p className="risk">
      First failed {minutes(suspect.secondsBefore)} after <b>{suspect.called}</b> went live
      {suspect.isIntroduction ? ", which introduced it." : ". That alone does not make it the cause."}
    </p>
  );
}

function minutes(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
