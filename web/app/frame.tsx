import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "../ui/link.tsx";
import { DemoBanner } from "./demo-banner.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { postAuth } from "./office.ts";
import { pages } from "./routes.ts";
import { ThemeButton } from "./theme-button.tsx";
import { useKeys } from "./use-keys.ts";

const rail = [
  { heading: "Work", links: [["Inbox", pages.inbox()] as const, ["Letters", pages.letters()] as const] },
  { heading: "Record", links: [["Audit", pages.audit()] as const, ["Status", pages.status()] as const] },
];

interface FrameProps {
  readonly actor: { readonly id: string; readonly roles: readonly string[] };
  readonly isDemo: boolean;
  readonly path: string;
  readonly children: ReactNode;
}

/** What is around every page: where one is, who one is, and the way elsewhere. */
export function Frame({ actor, isDemo, path, children }: FrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys(() => dialog.current?.showModal());
  useEffect(() => {
    document.title = `${titleOf(path)} · dlo`;
  }, [path]);
  return (
    <>
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="bar">
        <strong>Dead Letter Office</strong>
        <span className="bar-end">
          <ThemeButton />
          <button type="button" onClick={() => dialog.current?.showModal()}>
            Keys <kbd>?</kbd>
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
      <nav aria-label="Pages" className="rail">
        {rail.map(({ heading, links }) => (
          <div key={heading}>
            <h2>{heading}</h2>
            {links.map(([name, to]) => (
              <Link key={name} to={to} current={titleOf(path) === name}>
                {name}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
      <KeysDialog ref={dialog} />
    </>
  );
}

function titleOf(path: string): string {
  const names: Readonly<Record<string, string>> = { "": "Inbox", groups: "Group", letters: "Letters", audit: "Audit" };
  return names[path.split("/")[1] ?? ""] ?? "Status";
}

async function signOut(): Promise<void> {
  await postAuth("sign-out", {});
  location.reload();
}
