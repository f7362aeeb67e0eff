import { turnZone, useReading } from "./display-zone.ts";
import type { Say } from "./said.tsx";

/** In which zone all times of the page are; pressing it turns to UTC, and back. */
export function ZoneButton({ say }: { readonly say: Say }) {
  const { zone } = useReading();
  return (
    <button type="button" onClick={() => say({ text: turnZone() })}>
      Times: {zone}
    </button>
  );
}
