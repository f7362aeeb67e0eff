import { createContext, use, useEffect, useState } from "react";
import { keyFor } from "./key-map.ts";
import { useKeyMap } from "./use-key-map.ts";

/** What was just done, in a line over the page. */
export interface Said {
  readonly text: string;
  /** What does the same in a terminal. */
  readonly command?: string;
  /** Takes it back. */
  readonly undo?: { readonly label: string; readonly run: () => void };
}

export type Say = (said: Said) => void;

export const SayContext = createContext<Say>(() => {});

/** Says on any page what was done there. */
export function useSay(): Say {
  return use(SayContext);
}

/** How long it is read that something was done, and how long it can be taken back there. */
const [readMs, undoMs] = [4_000, 10_000];

interface SaidLineProps {
  readonly said: Said | null;
  readonly onGone: () => void;
}

/** A line that goes again by itself. It stays for as long as somebody is at it with the pointer or the keyboard. */
export function SaidLine({ said, onGone }: SaidLineProps) {
  const [isKept, setKept] = useState(false);
  useEffect(() => {
    if (said === null || isKept) return;
    const timer = setTimeout(onGone, said.undo === undefined ? readMs : undoMs);
    return () => clearTimeout(timer);
  }, [said, isKept, onGone]);
  // What one was at is gone with what was said before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line is another
  useEffect(() => setKept(false), [said]);
  const keep = { onPointerEnter: () => setKept(true), onFocus: () => setKept(true) };
  const letGo = { onPointerLeave: () => setKept(false), onBlur: () => setKept(false) };
  return (
    <div role="status" className="said" {...keep} {...letGo}>
      {said === null ? null : <SaidWords said={said} onGone={onGone} />}
    </div>
  );
}

function SaidWords({ said: { text, command, undo }, onGone }: SaidLineProps & { readonly said: Said }) {
  const key = keyFor(useKeyMap(), "Z");
  const takeBack = () => {
    onGone();
    undo?.run();
  };
  return (
    <>
      <span>{text}</span>
      {command === undefined ? null : <code>{command}</code>}
      {undo === undefined ? null : (
        <button type="button" className="small" data-undo onClick={takeBack}>
          {undo.label} {key === null ? null : <kbd>{/^[A-Z]$/.test(key) ? `Shift ${key}` : key}</kbd>}
        </button>
      )}
    </>
  );
}
