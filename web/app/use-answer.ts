import { useCallback, useEffect, useRef, useState } from "react";
import { isOfficeError } from "../../src/domain/errors.ts";
import type { InputOf, OperationName, OutputOf } from "../../src/office/operations/operations.ts";
import { askTogether } from "./ask-together.ts";
import { earlyAnswer, questionOf } from "./early-answers.ts";
import { isHeld, isListening, useLiveTurn } from "./live.ts";
import type { Refused } from "./office.ts";
import { officeNow } from "./office-clock.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { refusedBy } from "./refused-by.ts";

export interface Answer<Data> {
  /** The latest that came; it stays while the next is on its way, and when that fails. */
  readonly data: Data | null;
  readonly trouble: Refused | null;
  /** When `data` came. */
  readonly at: number | null;
  readonly reload: () => void;
}

const usualMs = 10_000;

/**
 * Asks the office, and again when the stream says that something changed; without a stream, every ten seconds, or as often as
 * `everyMs` says. Null: only when somebody asks for it.
 */
export function useAnswer<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  everyMs: number | null = usualMs,
): Answer<OutputOf<Name>> {
  const question = questionOf(name, input);
  const [known, setKnown] = useState<{ question: string; data: OutputOf<Name>; at: number } | null>(null);
  const [trouble, setTrouble] = useState<Refused | null>(null);
  const load = useCallback(
    async (signal: AbortSignal) => {
      const [, asked] = JSON.parse(question) as [Name, InputOf<Name>];
      try {
        const early = await earlyAnswer<Name>(question);
        const { data, at } = early ?? { data: await askTogether(name, asked), at: officeNow() };
        // What was asked is not stopped, others may wait for it too: by now somebody may look at something else.
        if (signal.aborted) return;
        setKnown({ question, data, at });
        setTrouble(null);
      } catch (error) {
        if (signal.aborted) return;
        if (isOfficeError(error, "NOT_SIGNED_IN")) location.reload();
        setTrouble(refusedBy(error));
      }
    },
    [name, question],
  );
  const [count, setCount] = useState(0);
  const turn = useLiveTurn();
  const seen = useRef(turn);
  const again = useRef<() => void>(() => {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: another count asks for a reload
  useEffect(() => {
    const stop = new AbortController();
    again.current = oneAtATime(() => load(stop.signal));
    again.current();
    const lookAgain = () => {
      if (document.visibilityState === "visible" && !isListening() && !isHeld()) again.current();
    };
    const timer = everyMs === null ? undefined : setInterval(lookAgain, everyMs);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [load, count, everyMs]);
  useEffect(() => {
    if (seen.current !== turn && everyMs !== null) again.current();
    seen.current = turn;
  }, [turn, everyMs]);
  const own = known?.question === question ? known : null;
  return { data: own?.data ?? null, at: own?.at ?? null, trouble, reload: () => setCount((before) => before + 1) };
}
