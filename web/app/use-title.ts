import { useEffect } from "react";

/** What the tab is called once it is known what its page is about. Until then, and on the next page, `Frame` says it. */
export function useTitle(about: string | null): void {
  useEffect(() => {
    if (about !== null) document.title = `${about} · dlo`;
  }, [about]);
}
