import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import type { Environment } from "../../src/domain/environment.ts";
import { DemoBanner } from "./demo-banner.tsx";
import { EnvironmentBadge } from "./environment-badge.tsx";
import { keyFor } from "./key-map.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { signOut } from "./office.ts";
import { Palette } from "./palette.tsx";
import { Rail, titleOf } from "./rail.tsx";
import type { Place } from "./routes.ts";
import { type Said, SaidLine, SayContext } from "./said.tsx";
import { SearchBox } from "./search-box.tsx";
import { StoppedBanner, StopSending } from "./stop-sending.tsx";
import { ThemeButton } from "./theme-button.tsx";
import { useKeyMap } from "./use-key-map.ts";
import { useKeys } from "./use-keys.ts";
import { useTitle } from "./use-title.ts";
import { ZoneButton } from "./zone-button.tsx";

interface FrameProps {
  readonly actor: { readonly id: string; readonly roles: readonly string[] };
  readonly isDemo: boolean;
  readonly environment: Environment | null;
  readonly place: Place;
  readonly children: ReactNode;
  /** What is over the page, at its side. */
  readonly beside: ReactNode;
}

/** What is around every page: where one is, who one is, and the way elsewhere. */
export function Frame({ actor, isDemo, environment, place, children, beside }: FrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [said, say] = useState<Said | null>(null);
  const forget = useCallback(() => say(null), []);
  useKeys(
    useCallback(() => dialog.current?.showModal(), []),
    say,
  );
  const help = keyFor(useKeyMap(), "?");
  const { path } = place;
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useTitle(titleOf(path), path);
  useEffect(() => {
    if (before.current !== path) keepFocus(main.current);
    before.current = path;
  }, [path]);
  return (
    <>
      <SkipLink />
      <header className="bar">
        <strong className="brand">Dead Letter Office</strong>
        <EnvironmentBadge environment={environment} />
        <SearchBox place={place} />
        <LiveIndicator />
        <StopSending />
        <MoreOfBar>
          <ZoneButton say={say} />
          <ThemeButton />
          <button type="button" onClick={() => dialog.current?.showModal()}>
            Keys {help === null ? null : <kbd>{help}</kbd>}
          </button>
          <span title={actor.roles.join(", ")}>{actor.id}</span>
          {isDemo ? null : (
            <button type="button" onClick={() => void signOut()}>
              Sign out
            </button>
          )}
        </MoreOfBar>
      </header>
      {isDemo ? <DemoBanner /> : null}
      <Rail path={path} />
      <main ref={main} id="page" tabIndex={-1}>
        <StoppedBanner />
        <SayContext value={say}>{children}</SayContext>
      </main>
      {beside}
      <SaidLine said={said} onGone={forget} />
      <KeysDialog ref={dialog} />
      <Palette />
    </>
  );
}

function SkipLink() {
  return (
    <a className="skip" href="#page">
      Skip to the page
    </a>
  );
}

/** What nobody needs at once: on a phone behind a button, so that the bar is one row. */
function MoreOfBar({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="bar-toggle"
        aria-label="More"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      <span id={id} className={isOpen ? "bar-more open" : "bar-more"}>
        {children}
      </span>
    </>
  );
}

/** Whoever followed a link that is gone with its page goes on at the beginning of the next one. */
function keepFocus(main: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) main?.focus({ preventScroll: true });
}
