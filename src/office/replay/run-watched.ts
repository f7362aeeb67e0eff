import { isOfficeError } from "../../domain/errors.ts";
import type { Report } from "../../domain/report.ts";
import { findPlaces } from "../../ledger/find-places.ts";
import type { SourcePool } from "../../sources/source-pool.ts";
import { consumeReports } from "./consume-reports.ts";
import { takeReport } from "./record-report.ts";
import type { ReplayParts } from "./replay-parts.ts";
import { type RunEnd, type RunRequest, runReplay } from "./run-replay.ts";

export interface WatchedParts {
  readonly replay: ReplayParts;
  readonly pool: SourcePool;
  /** Takes letters in from a dead-letter queue until the signal aborts. */
  readonly follow: (source: string, queue: string, signal: AbortSignal) => Promise<void>;
}

/**
 * Runs a replay in a process that does nothing else: meanwhile the reports of its consumers are read, and what comes back to
 * the dead-letter queues of its letters is taken in. An office that does so all the time needs only `runReplay`.
 */
export async function runWatched(parts: WatchedParts, request: RunRequest): Promise<RunEnd> {
  const { replay, pool, follow } = parts;
  const over = new AbortController();
  const places = await findPlaces(replay.ledger, request.replay);
  const sources = [...new Set(places.map(({ source }) => source))];
  const watching = [
    ...sources.map((source) => readReports(replay, pool, source, over.signal)),
    ...places.map(({ source, deadLetters }) => follow(source, deadLetters, over.signal)),
  ].map(unlessGone);
  try {
    return await runReplay(replay, request);
  } finally {
    over.abort();
    await Promise.all(watching);
  }
}

async function readReports({ ledger, host }: ReplayParts, pool: SourcePool, source: string, signal: AbortSignal) {
  const { transport, group } = await pool.get(source);
  const take = (report: Report) => takeReport(ledger, source, report);
  await consumeReports({ transport, group, host, signal, take });
}

/** A source or queue that is not there any more tells nothing: what that leaves unknown, the replay says itself. */
async function unlessGone(watching: Promise<void>): Promise<void> {
  try {
    await watching;
  } catch (error) {
    if (!isOfficeError(error)) throw error;
  }
}
