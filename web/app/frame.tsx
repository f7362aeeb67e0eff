import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { Environment } from "../../src/domain/environment.ts";
import { DemoBanner } from "./demo-banner.tsx";
import { EnvironmentBadge } from "./environment-badge.tsx";
import { keyFor } from "./key-map.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { postAuth } from "./office.ts";
import { Palette } from "./palette.tsx";
import { Rail, titleOf } from "./rail.tsx";
import { type Said, SaidLine, SayContext } from "./said.tsx";
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
  readonly path: string;
  readonly children: ReactNode;
  /** What is over the page, at its side. */
  readonly beside: ReactNode;
}

/** What is around every page: where one is, who one is, and the way elsewhere. */
export function Frame({ actor, isDemo, environment, path, children, beside }: FrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [said, say] = useState<Said | null>(null);
  const forget = useCallback(() => say(null), []);
  useKeys(
    useCallback(() => dialog.current?.showModal(), []),
    say,
  );
  const help = keyFor(useKeyMap(), "?");
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
        <strong>Dead Letter Office</strong>
        <EnvironmentBadge environment={environment} />
        <span className="bar-end">
          <LiveIndicator />
          <StopSending />
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
        </span>
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

/** Whoever followed a link that is gone with its page goes on at the beginning of the next one. */
function keepFocus(main: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) main?.focus({ preventScroll: true });
}

async function signOut(): Promise<void> {
  await postAuth("sign-out", {});
  location.reload();
}
