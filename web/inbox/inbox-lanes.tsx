import type { OutputOf } from "../../src/office/operations/operations.ts";
import { type InboxShown, pages } from "../app/routes.ts";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";

type Lanes = OutputOf<"inbox.list">["lanes"];
export type Lane = keyof Lanes;

const names: Readonly<Record<Lane, string>> = {
  decide: "Needs a decision",
  unblocked: "Unblocked",
  blocked: "Blocked",
  acknowledged: "Acknowledged",
};

const nothing: Readonly<Record<Lane, string>> = {
  decide: "No group needs a decision that could be taken now.",
  unblocked: "No gate has opened for a group that waited.",
  blocked: "No group waits for a gate.",
  acknowledged: "Nobody has acknowledged a group.",
};

/** The lane an address names; null: all of them. */
export function laneIn(query: URLSearchParams): Lane | null {
  const named = query.get("lane") ?? "";
  return Object.hasOwn(names, named) ? (named as Lane) : null;
}

interface LaneTabsProps {
  readonly lanes: Lanes;
  readonly shown: InboxShown;
}

/** What the inbox asks of people, each group in one of them: a tab has exactly the groups that its figure says. */
export function LaneTabs({ lanes, shown }: LaneTabsProps) {
  const all = Object.values(lanes).reduce((sum, n) => sum + n, 0);
  const lane = shown.lane ?? null;
  return (
    <nav aria-label="Which groups" className="tabs">
      <Link to={pages.inbox({ ...shown, lane: null })} current={lane === null}>
        All <span className="figure">{showCount(all)}</span>
      </Link>
      {(Object.keys(names) as Lane[]).map((each) => (
        <Link key={each} to={pages.inbox({ ...shown, lane: each })} current={lane === each}>
          {names[each]} <span className="figure">{showCount(lanes[each])}</span>
        </Link>
      ))}
    </nav>
  );
}

export function NothingInLane({ lane }: { readonly lane: Lane }) {
  return <p>{nothing[lane]}</p>;
}
