import { type Clock, pause } from "../domain/clock.ts";

export interface ForEach {
  /** What there is by now. */
  readonly names: () => readonly string[];
  /** Works on one of them until `signal` aborts. */
  readonly keep: (name: string, signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const lookAgainMs = 1_000;

/** Keeps one piece of work going for each name of a list that changes: begins with what is new, and stops what is gone. */
export async function keepForEach({ names, keep, clock, signal }: ForEach): Promise<void> {
  const running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  const begin = (name: string) => {
    const stop = new AbortController();
    const ended = keep(name, stop.signal).finally(() => running.delete(name));
    running.set(name, { stop, ended });
  };
  while (!signal.aborted) {
    const wanted = new Set(names());
    for (const [name, { stop }] of running) if (!wanted.has(name)) stop.abort();
    for (const name of wanted) if (!running.has(name)) begin(name);
    await pause(clock, lookAgainMs, signal);
  }
  for (const { stop } of running.values()) stop.abort();
  await Promise.all([...running.values()].map(({ ended }) => ended));
}
