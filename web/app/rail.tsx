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

/** The page that an address belongs to, as the rail calls it. */
export function titleOf(path: string): string {
  const first = path.split("/")[1] ?? "";
  const link = railLinks.find(({ holds }) => holds.includes(first));
  return link?.name ?? "Nothing is here";
}

/** The way elsewhere, in the order of use at night. */
export function Rail({ path }: { readonly path: string }) {
  return (
    <nav aria-label="Pages" className="rail">
      {rail.map(({ heading, links }) => (
        <div key={heading}>
          <h2>{heading}</h2>
          {links.map(({ name, to }) => (
            <Link key={name} to={to} current={titleOf(path) === name}>
              {name}
              {name === "Approvals" ? <Waiting /> : null}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** How many approvals wait for whoever looks; nothing where none does. */
function Waiting() {
  const { actor } = useSession();
  const asked = useAnswer("replays.list", { states: ["awaiting_approval"], limit: 200 });
  const n = asked.data?.items.filter(({ approvers }) => approvers.includes(actor.id)).length ?? 0;
  return n === 0 ? null : <b className="badge">{n}</b>;
}
