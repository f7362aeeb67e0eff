import { turnZone, useReading } from "./display-zone.ts";

/** In which zone all times of the page are; pressing it turns to UTC, and back. */
export function ZoneButton({ say }: { readonly say: (text: string) => void }) {
  const { zone } = useReading();
  return (
    <button type="button" onClick={() => say(turnZone())}>
      Times: {zone}
    </button>
  );
}
