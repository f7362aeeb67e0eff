import { useEffect, useRef } from "react";
import { useAnswer } from "../app/use-answer.ts";
import { Link } from "../ui/link.tsx";
import { pages } from "./routes.ts";
import { useSession } from "./session.ts";

interface RailLink {
  readonly name: string;
  readonly to: string;
  /** First words of the addresses that lie under it. */
  readonly holds: readonly string[];
}

const rail: readonly { readonly heading: string; readonly links: readonly RailLink[] }[] = [
  {
    heading: "Work",
    links: [
      { name: "Inbox", to: pages.inbox(), holds: ["", "groups"] },
      { name: "Letters", to: pages.letters(), holds: ["letters", "views"] },
      { name: "Replays", to: pages.replays(), holds: ["replays"] },
      { name: "Approvals", to: pages.approvals(), holds: ["approvals"] },
    ],
  },
  {
    heading: "Watch",
    links: [
      { name: "Queues", to: pages.queues(), holds: ["queues"] },
      { name: "Topology", to: pages.topology(), holds: ["topology"] },
      { name: "Breakers", to: pages.breakers(), holds: ["breakers"] },
      { name: "Blocked keys", to: pages.keys(), holds: ["keys"] },
      { name: "Consumers", to: pages.consumers(), holds: ["consumers"] },
      { name: "Alerts", to: pages.alerts(), holds: ["alerts"] },
      { name: "Status", to: pages.status(), holds: ["status"] },
    ],
  },
  {
    heading: "Rules",
    links: [
      { name: "Policies", to: pages.policies(), holds: ["policies"] },
      { name: "Simulator", to: pages.simulator(), holds: ["simulator"] },
      { name: "Insights", to: pages.insights(), holds: ["insights"] },
      { name: "Audit", to: pages.audit(), holds: ["audit"] },
      { name: "Settings", to: pages.settings(), holds: ["settings", "connect"] },
    ],
  },
];

/** All of them, in order. */
export const railLinks: readonly RailLink[] = rail.flatMap(({ links }) => links);

/** Pages that are called otherwise than what they lie under. */
const ownTitles = new Map([
  [pages.connect(), "Connect a source"],
  [pages.plan({}), "Plan a replay"],
]);

/** What the page at an address is called before it has anything to show. */
export function titleOf(path: string): string {
  return ownTitles.get(path) ?? linkOf(path)?.name ?? "Nothing is here";
}

/** What an address lies under. */
function linkOf(path: string): RailLink | undefined {
  const first = path.split("/")[1] ?? "";
  return railLinks.find(({ holds }) => holds.includes(first));
}

/** The way elsewhere, in the order of use at night. */
export function Rail({ path }: { readonly path: string }) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another link
  useEffect(() => {
    if (nav.current !== null) showCurrent(nav.current);
  }, [path]);
  return (
    <nav ref={nav} aria-label="Pages" className="rail">
      {rail.map(({ heading, links }) => (
        <div key={heading}>
          <h2>{heading}</h2>
          {links.map(({ name, to }) => (
            <Link key={name} to={to} current={linkOf(path)?.name === name}>
              {name}
              {name === "Approvals" ? <Waiting /> : null}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** A phone has room for some of the links: among them is the one of the page that is shown. */
function showCurrent(nav: HTMLElement): void {
  const current = nav.querySelector("[aria-current]");
  if (current === null) return;
  const [around, link] = [nav.getBoundingClientRect(), current.getBoundingClientRect()];
  nav.scrollLeft += link.left + link.width / 2 - (around.left + around.width / 2);
}

/** How many approvals wait for whoever looks; nothing where none does. */
function Waiting() {
  const { actor } = useSession();
  const asked = useAnswer("replays.list", { states: ["awaiting_approval"], limit: 200 });
  const n = asked.data?.items.filter(({ approvers }) => approvers.includes(actor.id)).length ?? 0;
  return n === 0 ? null : <b className="badge">{n}</b>;
}
