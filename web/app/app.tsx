import { useEffect, useState } from "react";
import { GroupPage } from "../inbox/group-page.tsx";
import { InboxPage } from "../inbox/inbox-page.tsx";
import { LetterPage } from "../letters/letter-page.tsx";
import { LettersPage } from "../letters/letters-page.tsx";
import { AuditPage } from "../record/audit-page.tsx";
import { StatusPage } from "../record/status-page.tsx";
import { SetupPage } from "../sign-in/setup-page.tsx";
import { SignInPage } from "../sign-in/sign-in-page.tsx";
import { Frame } from "./frame.tsx";
import { enter, type Session } from "./office.ts";
import { type Place, usePlace } from "./routes.ts";

/** Who is here decides what is shown: setting up, signing in, or the office. */
export function App() {
  const place = usePlace();
  const [session, setSession] = useState<Session | "unknown" | "unreachable">("unknown");
  useEffect(() => {
    enter().then(setSession, () => setSession("unreachable"));
  }, []);
  if (place.path === "/setup") return <SetupPage code={location.hash.slice(1)} />;
  if (session === "unknown") return null;
  if (session === "unreachable") return <p role="alert">The office does not answer. Is `dlo up` running?</p>;
  if (session.actor === null) return <SignInPage />;
  return (
    <Frame actor={session.actor} isDemo={session.isDemo} path={place.path}>
      <PageAt place={place} />
    </Frame>
  );
}

function PageAt({ place: { path, query } }: { readonly place: Place }) {
  const [, kind, id] = path.split("/");
  if (path === "/") return <InboxPage />;
  if (kind === "groups" && id) return <GroupPage id={decodeURIComponent(id)} />;
  if (kind === "letters" && id) return <LetterPage id={decodeURIComponent(id)} />;
  if (kind === "letters") return <LettersPage q={query.get("q") ?? ""} after={query.get("after")} />;
  if (kind === "audit") return <AuditPage before={query.has("before") ? Number(query.get("before")) : null} />;
  if (kind === "status") return <StatusPage />;
  return (
    <>
      <h1>Nothing is here</h1>
      <p>There is no page {path}. The rail on the left has those there are.</p>
    </>
  );
}
