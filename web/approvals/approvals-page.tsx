import { showAge } from "../../src/domain/duration.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { officeNow } from "../app/office-clock.ts";
import { pages } from "../app/routes.ts";
import { useSession } from "../app/session.ts";
import { useAnswer } from "../app/use-answer.ts";
import { whereTo } from "../replays/replay-words.ts";
import { Ago, Moment } from "../ui/age.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";

type Asked = OutputOf<"replays.list">["items"][number];

/** What somebody is asked to sign; first what waits for whoever looks. Approving is on the plan itself, below its risks. */
export function ApprovalsPage() {
  const { actor } = useSession();
  const answer = useAnswer("replays.list", { states: ["awaiting_approval"], limit: 200 }, 5_000);
  const asked = answer.data?.items ?? [];
  const mine = asked.filter(({ approvers }) => approvers.includes(actor.id));
  const own = asked.filter(({ requestedBy }) => requestedBy === actor.id);
  const others = asked.filter((each) => !mine.includes(each) && !own.includes(each));
  return (
    <>
      <h1>Approvals</h1>
      <Trouble answer={answer} />
      {answer.data !== null && mine.length === 0 ? <p>Nothing waits for you.</p> : null}
      <Cards title="Wait for you" asked={mine} />
      <Cards title="Yours: somebody else has to approve them (four eyes)" asked={own} />
      <Cards title="Wait for others" asked={others} />
      <Freshness answer={answer} />
    </>
  );
}

function Cards({ title, asked }: { readonly title: string; readonly asked: readonly Asked[] }) {
  if (asked.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      {asked.map((replay) => (
        <Card key={replay.id} replay={replay} />
      ))}
    </section>
  );
}

function Card({ replay }: { readonly replay: Asked }) {
  const { id, name, requestedBy, reason, counts, limits, expiresAt, approvers, reasons, frozenAt } = replay;
  const risks = reasons.filter(({ decision }) => decision === "acknowledged");
  return (
    <article className="card">
      <h3>
        <Link to={pages.replay(id)} row>
          Review {name}
        </Link>
      </h3>
      <p>
        {requestedBy} asks, <Ago since={frozenAt} />: {reason ?? "no reason was given"}
      </p>
      {risks.map(({ code, n, sentence }) => (
        <p key={code} className="risk">
          <b>{showLetters(n)}</b> {sentence}
        </p>
      ))}
      <p>
        {showLetters(counts.toSend)} would go to {whereTo(replay)}, at most {limits.rate} a second;{" "}
        {showCount(counts.skipped)} stay.
      </p>
      <p className="muted">
        {approvers.length === 0 ? "Nobody could approve it." : `${approvers.join(" or ")} can approve it.`} It expires
        in {showAge(Math.max(0, Date.parse(expiresAt) - officeNow()))}, at <Moment at={expiresAt} />.{" "}
        <code>dlo replay show {id}</code>
      </p>
    </article>
  );
}
