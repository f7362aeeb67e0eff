import { useEffect, useState } from "react";
import { holdLive, type LiveState, startLive, useLiveState, usePause } from "./live.ts";
import { keyMeant } from "./use-key-map.ts";

/** Whether what is shown is how things are; pressing it stands still, and goes on. */
export function LiveIndicator() {
  const state = useLiveState();
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
        {textOf(state)}
      </button>
    );
  return (
    <button
      type="button"
      className={`live ${state.kind === "live" ? "on" : state.kind}`}
      aria-pressed={isPaused}
      onClick={turnOver}
    >
      {textOf(state)}
    </button>
  );
}

function textOf({ kind, at }: LiveState): string {
  const time = new Date(at).toISOString().slice(11, 19);
  if (kind === "connecting") return "Connecting…";
  if (kind === "live") return "Live";
  if (kind === "paused") return `Paused ${time}`;
  if (kind === "reconnecting") return `Reconnecting… showing ${time}`;
  return `Stale since ${time.slice(0, 5)} — reload`;
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
