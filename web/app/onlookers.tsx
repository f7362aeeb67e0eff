import { useEffect, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { type Reading, showMoment } from "../ui/moment-words.ts";
import { useReading } from "./display-zone.ts";
import { ask } from "./office.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { useSession } from "./session.ts";

type Onlooker = OutputOf<"onlookers.look">["items"][number];

/** More often than what the office was told lapses. */
const everyMs = 20_000;
const namedAtMost = 2;

/** Who else has this letter, group or replay open right now. Its line is there without a word in it, so that nothing moves. */
export function Onlookers({ id }: { readonly id: string }) {
  return (
    <p role="status" className="onlookers">
      {sentenceOf(useOnlookers(id), useReading())}
    </p>
  );
}

/**
 * Goes on while the page stands still: somebody who has a dialog open, or types, is the one that others must know of. A page that nobody
 * sees says nothing, and what it said lapses.
 */
function useOnlookers(id: string): readonly Onlooker[] {
  const [known, setKnown] = useState<{ readonly id: string; readonly items: readonly Onlooker[] } | null>(null);
  const maySay = useSession().may.includes("onlookers.look");
  useEffect(() => {
    if (!maySay) return;
    const stop = new AbortController();
    const { signal } = stop;
    const say = oneAtATime(async () => {
      if (signal.aborted || document.visibilityState !== "visible") return;
      // Without an answer nobody knows who is still there, and nothing is said.
      const answer = await ask("onlookers.look", { id }, { signal }).catch(() => null);
      if (!signal.aborted) setKnown(answer === null ? null : { id, items: answer.items });
    });
    say();
    const timer = setInterval(say, everyMs);
    document.addEventListener("visibilitychange", say, { signal });
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [id, maySay]);
  return known?.id === id ? known.items : [];
}

function sentenceOf(others: readonly Onlooker[], reading: Reading): string {
  const [first, second] = others;
  if (first === undefined) return "";
  const since = showMoment(Date.parse(first.since), reading);
  if (second === undefined) return `${first.id} has this open too, since ${since}.`;
  const more = others.length - namedAtMost;
  const names = more > 0 ? `${first.id}, ${second.id} and ${more} more` : `${first.id} and ${second.id}`;
  return `${names} have this open too.`;
}
