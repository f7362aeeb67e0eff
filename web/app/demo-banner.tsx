import { useState } from "react";
import { basePath, type OwnOffice, openOwnOffice, postAuth, type Refused } from "./office.ts";

type Doing = "nothing" | "resetting" | Refused;

/** On every page of a demonstration, so that nobody takes it for real. */
export function DemoBanner() {
  const [doing, setDoing] = useState<Doing>("nothing");
  const reset = async () => {
    setDoing("resetting");
    const refused = await postAuth("demo/reset", {});
    if (refused === null) await whenItAnswers();
    else setDoing(refused);
  };
  return (
    <aside className="demo" aria-label="Demonstration">
      <p>
        <strong>Demo data.</strong> Nothing leaves this machine. The bot ops-2 approves what you ask for after 20 s.
      </p>
      <button type="button" disabled={doing === "resetting"} onClick={() => void reset()}>
        {doing === "resetting" ? "Beginning again…" : "Reset"}
      </button>
      <OwnOfficeButton />
      {typeof doing === "object" ? <p role="alert">{doing.message}</p> : null}
    </aside>
  );
}

/** Real letters never meet made-up ones: they have an office, a ledger and an admin of their own. */
function OwnOfficeButton() {
  const [own, setOwn] = useState<"asked" | OwnOffice | Refused | null>(null);
  const open = async () => {
    setOwn("asked");
    setOwn(await openOwnOffice());
  };
  if (own !== null && own !== "asked")
    return (
      <p role="status">
        {"url" in own ? (
          <>
            Your own office is at <a href={own.url}>{own.url}</a>
            {own.setup === null ? "." : `. The link that makes you its admin is ${own.setup}.`}
          </>
        ) : (
          `${own.message} ${own.hint ?? ""}`
        )}
      </p>
    );
  return (
    <button type="button" disabled={own === "asked"} onClick={() => void open()}>
      {own === "asked" ? "Opening your own office…" : "Connect a real source"}
    </button>
  );
}

const everyMs = 500;

/** It goes away for some seconds, and comes back with another ledger. */
async function whenItAnswers(): Promise<void> {
  let isGone = false;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    const answer = await fetch(`${basePath}/healthz`).catch(() => null);
    if (answer?.ok && isGone) break;
    isGone ||= !answer?.ok;
  }
  location.assign(`${basePath}/`);
}
