import { type Clock, pause } from "../domain/clock.ts";
import { keepTrying, sentenceOf } from "./keep-trying.ts";
import { changedStatus, type LastTrouble } from "./last-trouble.ts";

/** What an office does again and again for all of its letters, and how that goes, for people. */
export interface ChoreStatus {
  /** Such as `regrouping`: another version may have others. */
  readonly name: string;
  readonly state: "working" | "waiting";
  /** Since when it is in that state, in milliseconds since 1970. */
  readonly since: number;
  readonly trouble: string | null;
  readonly lastTrouble: LastTrouble | null;
}

export interface Chore {
  status(): ChoreStatus;
  close(): Promise<void>;
}

export interface ChoreParts {
  readonly name: string;
  readonly everyMs: number;
  readonly clock: Clock;
  readonly act: (signal: AbortSignal) => Promise<unknown>;
  /** What it could not do for now, while all the rest went on; null: nothing. @default nothing */
  readonly leftOver?: () => Promise<string | null>;
}

/** Does something every so often until it is closed; what fails is tried again, after longer and longer waits. */
export function chore({ name, everyMs, clock, act, leftOver = async () => null }: ChoreParts): Chore {
  const stop = new AbortController();
  const { signal } = stop;
  let status: ChoreStatus = { name, state: "working", since: clock.now(), trouble: null, lastTrouble: null };
  const note = (state: ChoreStatus["state"], trouble: string | null) => {
    const now = clock.now();
    status = changedStatus(status, { state, trouble, since: state === status.state ? status.since : now }, now);
  };
  const running = keepTrying({
    ...{ clock, signal },
    async attempt(progressed) {
      while (!signal.aborted) {
        await act(signal);
        progressed();
        note("working", await leftOver());
        await pause(clock, everyMs, signal);
      }
    },
    onFailure: (error) => note("waiting", sentenceOf(error)),
  });
  return {
    status: () => status,
    async close() {
      stop.abort();
      await running;
    },
  };
}
