import { useEffect, useState } from "react";
import { type Reading, showClock } from "../ui/moment-words.ts";
import { useReading } from "./display-zone.ts";
import { holdLive, type LiveState, startLive, useLiveState, usePause } from "./live.ts";
import { atOffice } from "./office-clock.ts";
import { keyMeant } from "./use-key-map.ts";

/** Whether what is shown is how things are; pressing it stands still, and goes on. */
export function LiveIndicator() {
  const state = useLiveState();
  const reading = useReading();
  const [isPaused, turnOver] = usePause();
  useEffect(startLive, []);
  useHoldWhileBusy();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (keyMeant(event) === "L") turnOver();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  if (state.kind === "stale")
    return (
      <button type="button" className="live stale" onClick={() => location.reload()}>
        {textOf(state, reading)}
      </button>
    );
  return (
    <button
      type="button"
      className={`live ${state.kind === "live" ? "on" : state.kind}`}
      aria-pressed={isPaused}
      onClick={turnOver}
    >
      {textOf(state, reading)}
    </button>
  );
}

function textOf({ kind, at }: LiveState, reading: Reading): string {
  // The bar names the zone.
  const said = showClock(atOffice(at), reading.zone);
  if (kind === "connecting") return "Connecting…";
  if (kind === "live") return "Live";
  if (kind === "paused") return `Paused ${said}`;
  if (kind === "reconnecting") return `Reconnecting… showing ${said}`;
  return `Stale since ${said} — reload`;
}

/** What a reader is in the middle of: nothing may change beneath it. */
const busy =
  "dialog[open], tbody button:hover, main input:focus, main textarea:focus, main select:focus, main [data-editor]:focus-within";

/** Stands still while somebody selects text, has a dialog open, types, or is about to press something in a row. */
function useHoldWhileBusy(): void {
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const look = () => {
      const selects = document.getSelection()?.isCollapsed === false;
      setBusy(selects || document.querySelector(busy) !== null);
    };
    const names = ["selectionchange", "focusin", "focusout", "pointerover", "toggle", "close"];
    for (const name of names) document.addEventListener(name, look, true);
    return () => {
      for (const name of names) document.removeEventListener(name, look, true);
    };
  }, []);
  useEffect(() => (isBusy ? holdLive() : undefined), [isBusy]);
}
