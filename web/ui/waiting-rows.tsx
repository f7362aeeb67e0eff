import { keyFor } from "../app/key-map.ts";
import { useKeyMap } from "../app/use-key-map.ts";
import type { SteadyRows } from "./use-steady-rows.ts";

/** What came meanwhile and waits, so that nothing moves beneath a pointer. */
export function WaitingRows({ steady: { fresh, gone, moved, apply } }: { readonly steady: SteadyRows<unknown> }) {
  const key = keyFor(useKeyMap(), "u");
  const parts = [
    fresh === 0 ? null : `${fresh} new`,
    gone === 0 ? null : `${gone} gone`,
    fresh + gone === 0 && moved > 0 ? "another order" : null,
  ].filter((part) => part !== null);
  return (
    <div className="waiting-rows">
      {parts.length === 0 ? null : (
        <button type="button" onClick={apply}>
          {parts.join(", ")} · show {key === null ? null : <kbd>{key}</kbd>}
        </button>
      )}
    </div>
  );
}
