import { type Clock, pause } from "../domain/clock.ts";

export interface StandingAttempt {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Works until `signal` aborts. Whenever it gets anywhere it calls `progressed`, and the next failure waits briefly again. */
  readonly attempt: (progressed: () => void) => Promise<void>;
  readonly onFailure?: (error: unknown) => void;
}

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/** Begins something again whenever it ends or fails, with longer and longer waits, until `signal` aborts. Never rejects. */
export async function keepTrying({ clock, signal, attempt, onFailure }: StandingAttempt): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await attempt(() => {
        failures = 0;
      });
    } catch (error) {
      onFailure?.(error);
    }
    await pause(clock, waitAfter(failures), signal);
  }
}

/** How long to leave alone what failed so often before, in milliseconds. */
export function waitAfter(failures: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
