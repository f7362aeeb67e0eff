import type { Actor } from "../../domain/actor.ts";
import { pause } from "../../domain/clock.ts";
import { keepTrying } from "../keep-trying.ts";
import type { LettersAtHand } from "../policy/judge-anew.ts";
import { regroup } from "./regroup.ts";

export interface StandingRegrouping {
  close(): Promise<void>;
}

/** How often it looks whether letters have to follow a merge or a split, in milliseconds. */
const lookMs = 1_000;

/** Lets letters follow whatever is merged and split, for as long as the office runs. Every process may do so at once. */
export function standingRegrouping(office: LettersAtHand, actor: Actor): StandingRegrouping {
  const { clock } = office;
  const stop = new AbortController();
  const { signal } = stop;
  const attempt = async (progressed: () => void) => {
    while (!signal.aborted) {
      await regroup(office, { actor, signal });
      progressed();
      await pause(clock, lookMs, signal);
    }
  };
  const running = keepTrying({ clock, signal, attempt });
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
