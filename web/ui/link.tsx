import type { MouseEvent, ReactNode } from "react";
import { basePath } from "../app/office.ts";
import { goTo } from "../app/routes.ts";

export interface LinkProps {
  readonly to: string;
  readonly children: ReactNode;
  /** It leads to the page that is shown. */
  readonly current?: boolean;
  /** It opens a row: j and k walk along these. */
  readonly row?: boolean;
  /** It leads to a plan: r follows it. */
  readonly plan?: boolean;
  /** As a button, where it is the next step and leads to another page. @default as a link */
  readonly look?: "first" | "button" | null;
}

/** A real link, which opens in a new tab when asked to; otherwise the page changes in place. */
export function Link({ to, children, current = false, row = false, plan = false, look = null }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a
      href={`${basePath}${to}`}
      onClick={follow}
      aria-current={current ? "page" : undefined}
      data-row={row || undefined}
      data-plan={plan || undefined}
      className={look === null ? undefined : `button ${look}`}
    >
      {children}
    </a>
  );
}
