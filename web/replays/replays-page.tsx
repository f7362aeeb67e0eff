import type { InputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Age } from "../ui/age.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { Bar } from "../ui/parts-bar.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { decisionParts, isPlan, outcomeParts, type ReplaySummary, toneOf } from "./replay-words.ts";

type States = NonNullable<InputOf<"replays.list">["states"]>;

const tabs: Readonly<Record<string, { readonly name: string; readonly states: States }>> = {
  "": { name: "All", states: [] },
  running: { name: "Running", states: ["running", "settling", "paused", "halted"] },
  waiting: { name: "Waiting", states: ["planned", "awaiting_approval", "approved"] },
  over: { name: "Over", states: ["finished", "cancelled", "rejected", "expired"] },
};

/** What runs, what waits, what was done tonight and whether it worked. */
export function ReplaysPage({ tab, after }: { readonly tab: string; readonly after: string | null }) {
  const states = tabs[tab]?.states ?? [];
  const answer = useAnswer("replays.list", { states, after, limit: 50 }, 5_000);
  const items = answer.data?.items ?? [];
  return (
    <>
      <h1>Replays</h1>
      <nav aria-label="Which replays" className="tabs">
        {Object.entries(tabs).map(([key, { name }]) => (
          <Link key={name} to={pages.replays(key)} current={key === tab}>
            {name}
          </Link>
        ))}
      </nav>
      <Trouble answer={answer} />
      {items.length === 0 && answer.data !== null ? <Empty tab={tab} /> : <ReplaysTable items={items} />}
      <nav aria-label="More replays" className="pages">
        {after === null ? null : <Link to={pages.replays(tab)}>Newest</Link>}
        {answer.data?.next ? <Link to={pages.replays(tab, answer.data.next)}>Older</Link> : null}
      </nav>
      <Freshness answer={answer} />
    </>
  );
}

const emptiness: Readonly<Record<string, string>> = {
  running: "No replay is running, paused or halted.",
  waiting: "No plan waits to be asked for, approved or sent.",
  over: "No replay has ended yet.",
};

function Empty({ tab }: { readonly tab: string }) {
  return <p>{emptiness[tab] ?? "No replays yet. A plan begins with a group, or with letters you select."}</p>;
}

function ReplaysTable({ items }: { readonly items: readonly ReplaySummary[] }) {
  if (items.length === 0) return null;
  return (
    <table className="rows">
      <caption className="unseen">Replays, newest first</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Replay</th>
          <th scope="col" className="number">
            Letters
          </th>
          <th scope="col">Outcome</th>
          <th scope="col">By</th>
          <th scope="col">Approved</th>
          <th scope="col" className="number">
            When
          </th>
          <th scope="col">Next</th>
        </tr>
      </thead>
      <tbody>
        {items.map((replay) => (
          <ReplayRow key={replay.id} replay={replay} />
        ))}
      </tbody>
    </table>
  );
}

function ReplayRow({ replay }: { readonly replay: ReplaySummary }) {
  const { id, name, query, state, verdict, counts, requestedBy, approvals, frozenAt, nextStep } = replay;
  const parts = (isPlan(replay) ? decisionParts(replay) : outcomeParts(replay)).filter(({ n }) => n > 0);
  const approved = approvals.filter((each) => each.verdict === "approved").map(({ actor }) => actor);
  return (
    <tr>
      <td>
        <StateChip state={verdict === null ? state : `${state} ${verdict}`} tone={toneOf(replay)} />
      </td>
      <td>
        <Link to={pages.replay(id)} row>
          {name}
        </Link>
        <div className="muted clip">{query}</div>
      </td>
      <td className="number" data-label="letters">
        {showCount(counts.selected)}
      </td>
      <td className="outcome">
        <Bar parts={parts} label={name} />
        <div className="muted">
          {parts
            .slice(0, 3)
            .map((part) => `${showCount(part.n)} ${part.name}`)
            .join(" · ")}
        </div>
      </td>
      <td data-label="by">{requestedBy}</td>
      <td data-label="approved">{approved.join(", ") || "–"}</td>
      <td className="number" data-label="when">
        <Age since={frozenAt} />
      </td>
      <td className="next">{nextStep.code === "none" ? "–" : nextStep.label}</td>
    </tr>
  );
}
