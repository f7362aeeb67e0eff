import { Suspense, useEffect } from "react";
import { focusRow, rowAtHand } from "../ui/rows-at-hand.ts";
import { lazyPage } from "./lazy-page.tsx";
import { endPeek, peek } from "./peek.ts";
import type { Place } from "./routes.ts";

/** It comes with the pages that it shows parts of. */
const [Drawer] = lazyPage(async () => (await import("./other-page.tsx")).Drawer);

/** A look at a row beside its list, by Space and Esc. They are no single keys: they mean this only where a row or the drawer has the focus. */
export function DrawerAt({ place }: { readonly place: Place }) {
  const id = place.query.get("peek");
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      const isAtRow = event.target instanceof Element && event.target.matches("a[data-row], .drawer");
      const row = rowAtHand();
      if (event.key === " " && isAtRow && row !== null) {
        if (row === id) close(id);
        else peek(row);
      } else if (event.key === "Escape" && id !== null) close(id);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [id]);
  if (id === null) return null;
  return (
    <Suspense fallback={null}>
      <Drawer id={id} onClose={() => close(id)} />
    </Suspense>
  );
}

function close(id: string): void {
  endPeek();
  focusRow(id);
}
