import { useEffect, useState } from "react";
import { SetupPage } from "../sign-in/setup-page.tsx";
import { SignInPage } from "../sign-in/sign-in-page.tsx";
import { TerminalPage } from "../sign-in/terminal-page.tsx";
import { DrawerAt } from "./drawer-at.tsx";
import { Frame } from "./frame.tsx";
import { enter, type Session } from "./office.ts";
import { PageAt } from "./page-at.tsx";
import { usePlace } from "./routes.ts";
import { SessionContext } from "./session.ts";

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
  if (session.actor === null) return <SignInPage {...session} />;
  if (place.path === "/terminal") return <TerminalPage who={session.actor.id} query={place.query} />;
  return (
    <SessionContext value={{ ...session, actor: session.actor }}>
      <Frame {...session} actor={session.actor} place={place} beside={<DrawerAt place={place} />}>
        <PageAt place={place} />
      </Frame>
    </SessionContext>
  );
}
