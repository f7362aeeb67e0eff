import { type ReactNode, Suspense, useEffect } from "react";
import { AlertsPage } from "../alerts/alerts-page.tsx";
import { ApprovalsPage } from "../approvals/approvals-page.tsx";
import { GroupPage } from "../inbox/group-page.tsx";
import { InsightsPage } from "../insights/insights-page.tsx";
import { LetterPage } from "../letters/letter-page.tsx";
import { LettersPage } from "../letters/letters-page.tsx";
import { listOf } from "../letters/views.tsx";
import { CategoryPolicyPage } from "../policies/category-policy-page.tsx";
import { PoliciesPage } from "../policies/policies-page.tsx";
import { AuditPage } from "../record/audit-page.tsx";
import { StatusPage } from "../record/status-page.tsx";
import { PlanPage, selectionOf } from "../replays/plan-page.tsx";
import { ReplayPage } from "../replays/replay-page.tsx";
import { ReplaysPage } from "../replays/replays-page.tsx";
import { SettingsPage } from "../settings/settings-page.tsx";
import { protocols } from "../ui/protocols.ts";
import { BreakerPage } from "../watch/breaker-page.tsx";
import { BreakersPage } from "../watch/breakers-page.tsx";
import { ConsumersPage } from "../watch/consumers-page.tsx";
import { KeysPage } from "../watch/keys-page.tsx";
import { QueuePage } from "../watch/queue-page.tsx";
import { QueuesPage } from "../watch/queues-page.tsx";
import { lazyPage } from "./lazy-page.tsx";
import { placeOfId } from "./palette-choices.ts";
import { goTo, type Place, pages } from "./routes.ts";
import { useAnswer } from "./use-answer.ts";

/** It shows parts of these pages beside a list. */
export { Drawer } from "../drawer/drawer.tsx";

/** Loaded when somebody asks for them: few need plots, an editor or a drawing. */
const [SimulatorPage] = lazyPage(async () => (await import("../simulator/simulator-page.tsx")).SimulatorPage);

const [EditPage] = lazyPage(async () => (await import("../edit/edit-page.tsx")).EditPage);

const [ConnectPage] = lazyPage(async () => (await import("../connect/connect-page.tsx")).ConnectPage);

const [TopologyPage] = lazyPage(async () => (await import("../watch/topology-page.tsx")).TopologyPage);

type ShowPage = (id: string, place: Place) => ReactNode;

const edited = "/edit";

/** By the first word of the address; what follows it is given decoded, or empty. */
const shownAt: Readonly<Record<string, ShowPage>> = {
  groups: (id) => <GroupPage id={id} />,
  letters: (id, { query }) => {
    if (id.endsWith(edited))
      return <Later title="Edit a letter" page={<EditPage id={id.slice(0, -edited.length)} />} />;
    if (id !== "") return <LetterPage id={id} />;
    const [view, sort, cols] = ["view", "sort", "cols"].map((name) => query.get(name) ?? "") as [
      string,
      string,
      string,
    ];
    return <LettersPage q={query.get("q") ?? ""} after={query.get("after")} list={{ view, sort, cols }} />;
  },
  replays: (id, place) => {
    if (id === "new") return <PlanPage selection={selectionOf(place)} />;
    if (id !== "") return <ReplayPage id={id} query={place.query} />;
    return <ReplaysPage tab={place.query.get("tab") ?? ""} after={place.query.get("after")} />;
  },
  go: (id) => <Resolved id={id} />,
  views: (name) => <ResolvedView name={name} />,
  approvals: () => <ApprovalsPage />,
  queues: (place) => {
    if (place === "") return <QueuesPage />;
    // A source has no slash in its name, a queue may.
    const [source = "", ...name] = place.split("/");
    return <QueuePage key={place} source={source} queue={name.join("/")} />;
  },
  topology: (_id, { query }) => <Later title="Topology" page={<TopologyPage focus={query.get("focus") ?? ""} />} />,
  breakers: (name) => (name === "" ? <BreakersPage /> : <BreakerPage name={name} />),
  keys: (_id, { query }) => <KeysPage after={query.get("after")} />,
  consumers: () => <ConsumersPage />,
  alerts: () => <AlertsPage />,
  policies: (id) => {
    if (Object.hasOwn(protocols, id)) return <CategoryPolicyPage category={id} />;
    return <PoliciesPage version={id === "" ? null : Number(id)} />;
  },
  simulator: (_id, { query }) => <Later title="Simulator" page={<SimulatorPage query={query} />} />,
  connect: () => <Later title="Connect a source" page={<ConnectPage />} />,
  settings: (part) => <SettingsPage part={part} />,
  insights: (_id, { query }) => <InsightsPage query={query} />,
  audit: (_id, { query }) => {
    const [by, action, about, own] = ["by", "action", "about", "own"].map((name) => query.get(name) ?? "") as [
      ...[string, string, string, string],
    ];
    const before = query.has("before") ? Number(query.get("before")) : null;
    return <AuditPage search={{ by, action, about, own }} before={before} />;
  },
  status: () => <StatusPage />,
};

function Later({ title, page }: { readonly title: string; readonly page: ReactNode }) {
  return <Suspense fallback={<h1>{title}</h1>}>{page}</Suspense>;
}

/** An id of anything, as terminals and chats link to it. */
function Resolved({ id }: { readonly id: string }) {
  const place = placeOfId(id);
  useEffect(() => {
    if (place !== null) goTo(place, "replace");
  }, [place]);
  return place === null ? <h1>Nothing is called {id}</h1> : null;
}

/** A view by its name, as a chat or a bookmark links to it: it finds what it finds by now. */
function ResolvedView({ name }: { readonly name: string }) {
  const { data } = useAnswer("views.list", {}, null);
  const view = data?.items.find((each) => each.name === name);
  useEffect(() => {
    if (view !== undefined) goTo(pages.letters(view.q, null, listOf(view)), "replace");
  }, [view]);
  return data !== null && view === undefined ? <h1>There is no view {name}</h1> : null;
}

/** Every page but the first. */
export function OtherPage({ place }: { readonly place: Place }) {
  const [, kind = "", ...rest] = place.path.split("/");
  const show = Object.hasOwn(shownAt, kind) ? shownAt[kind] : undefined;
  if (show !== undefined) return show(rest.map(decodeURIComponent).join("/"), place);
  return (
    <>
      <h1>Nothing is here</h1>
      <p>There is no page {place.path}. The rail on the left has those there are.</p>
    </>
  );
}
