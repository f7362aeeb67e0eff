import { useEffect } from "react";
import { useSession } from "./session.ts";

/**
 * What the tab is called, with the environment, once it is known what its page is about. Until then, and on the next page, `Frame` says
 * it: again whenever `path` changes, even if the next page is called the same.
 */
export function useTitle(about: string | null, path?: string): void {
  const { environment } = useSession();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page
  useEffect(() => {
    if (about !== null) document.title = [about, environment?.name ?? [], "dlo"].flat().join(" · ");
  }, [about, path, environment]);
}
