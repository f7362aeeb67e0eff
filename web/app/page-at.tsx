import { Suspense, useEffect } from "react";
import { laneIn } from "../inbox/inbox-lanes.tsx";
import { InboxPage, inboxQuestion } from "../inbox/inbox-page.tsx";
import { askEarly } from "./early-answers.ts";
import { lazyPage } from "./lazy-page.tsx";
import { titleOf } from "./rail.tsx";
import type { Place } from "./routes.ts";

/** Nobody who is paged waits for the code of pages they do not see. */
const [OtherPage, loadOthers] = lazyPage(async () => (await import("./other-page.tsx")).OtherPage);

/** They come once the inbox is there: a page that was opened stays whole even if the office is replaced behind it. */
const othersAfterMs = 1_000;

function isInbox({ path }: Place): boolean {
  return path === "/";
}

/** Begins with what the page at this place needs, before it is known who is here. */
export function beginAt(place: Place): void {
  if (isInbox(place)) askEarly("inbox.list", inboxQuestion(place.query.has("snoozed")));
  else loadOthers();
}

export function PageAt({ place }: { readonly place: Place }) {
  useEffect(() => {
    const timer = setTimeout(loadOthers, othersAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (isInbox(place)) return <InboxPage withSnoozed={place.query.has("snoozed")} lane={laneIn(place.query)} />;
  return (
    <Suspense fallback={<h1>{titleOf(place.path)}</h1>}>
      <OtherPage place={place} />
    </Suspense>
  );
}
