import { findPlaces } from "../../ledger/find-places.ts";
import { hasLeader } from "../../ledger/lead-replay.ts";
import { keepTrying } from "../keep-trying.ts";
import type { ReplayParts } from "./replay-parts.ts";
import { type RunEnd, type RunRequest, runReplay } from "./run-replay.ts";

export interface WatchedParts {
  readonly replay: ReplayParts;
  /** Reads the reports of a source until the signal aborts; null in an office that does so all the time. */
  readonly readReports: ((source: string, signal: AbortSignal) => Promise<void>) | null;
  /** Takes letters in from a dead-letter queue until the signal aborts. */
  readonly follow: (source: string, queue: string, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs a replay with an eye on it: meanwhile the reports of its consumers are read, and what comes back to the dead-letter
 * queues of its letters is taken in. A source or queue that is away tells nothing meanwhile: what that leaves unknown, the
 * replay says itself.
 */
export async function runWatched(parts: WatchedParts, request: RunRequest): Promise<RunEnd> {
  const { replay, readReports, follow } = parts;
  // Whoever only waits for its turn must not take the reports and letters of the one that leads.
  if (await hasLeader(replay.ledger, request.replay)) return "led elsewhere";
  const over = new AbortController();
  const watch = (attempt: () => Promise<void>) =>
    keepTrying({ clock: replay.host.clock, signal: over.signal, attempt });
  const places = await findPlaces(replay.ledger, request.replay);
  const sources = readReports === null ? [] : new Set(places.map(({ source }) => source));
  const watching = [
    ...[...sources].map((source) => watch(async () => readReports?.(source, over.signal))),
    ...places.map(({ source, deadLetters }) => watch(() => follow(source, deadLetters, over.signal))),
  ];
  try {
    return await runReplay(replay, request);
  } finally {
    over.abort();
    await Promise.all(watching);
  }
}
