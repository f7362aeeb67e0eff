import { type Clock, pause } from "../../domain/clock.ts";
import type { Incident } from "../../transports/transport.ts";
import { keepTrying, sentenceOf } from "../keep-trying.ts";
import type { DrainProgress } from "./drain.ts";

export interface DrainedQueue {
  readonly source: string;
  readonly queue: string;
}

/** How a queue is being drained, for people. */
export interface DrainStatus extends DrainedQueue {
  readonly state: "draining" | "waiting";
  /** Since when it is in that state, in milliseconds since 1970. */
  readonly since: number;
  /** Letters taken since the office started. */
  readonly held: number;
  /** Why it is waiting, or what troubled it last. */
  readonly trouble: string | null;
}

export interface StandingDrainsParts {
  /** Names of the sources. */
  readonly sources: readonly string[];
  /** The queues of a source that are to be drained now. */
  readonly queuesOf: (source: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Drains one until it is stopped. */
  readonly drain: (
    queue: DrainedQueue,
    hooks: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: DrainProgress) => void;
      readonly onIncident: (incident: Incident) => void;
    },
  ) => Promise<DrainProgress>;
  readonly clock: Clock;
}

export interface StandingDrains {
  status(): readonly DrainStatus[];
  /** Stops them: what is in hand is committed or given back first. */
  close(): Promise<void>;
}

const lookAgainMs = 30_000;

/**
 * Keeps every queue draining that the configuration wants drained, for as long as the office runs: new queues are found, and
 * what fails is begun again. Every process of an office does so; the brokers and the ledger's sessions see to it that a letter
 * is taken once, and what a dead process had in hand comes to the others by itself.
 */
export function standingDrains(parts: StandingDrainsParts): StandingDrains {
  const stop = new AbortController();
  const known = new Map<string, { status: DrainStatus; running: Promise<void> }>();
  const troubles = new Map<string, DrainStatus>();
  const watching = parts.sources.map((source) => watch(source));

  async function watch(source: string): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        for (const queue of await parts.queuesOf(source, stop.signal)) begin({ source, queue });
        troubles.delete(source);
      } catch (error) {
        const status = { source, queue: "*", state: "waiting", since: parts.clock.now(), held: 0 } as const;
        if (!stop.signal.aborted) troubles.set(source, { ...status, trouble: sentenceOf(error) });
      }
      await pause(parts.clock, lookAgainMs, stop.signal);
    }
  }

  function begin(queue: DrainedQueue): void {
    const name = `${queue.source}/${queue.queue}`;
    if (known.has(name)) return;
    const entry = {
      status: { ...queue, state: "draining", since: parts.clock.now(), held: 0, trouble: null } as DrainStatus,
      running: Promise.resolve(),
    };
    known.set(name, entry);
    entry.running = keepDraining(parts, queue, stop.signal, (change) => {
      entry.status = { ...entry.status, ...change };
    });
  }

  return {
    status: () => [...troubles.values(), ...[...known.values()].map(({ status }) => status)],
    async close() {
      stop.abort();
      await Promise.all([...watching, ...[...known.values()].map(({ running }) => running)]);
    },
  };
}

function keepDraining(
  { drain, clock }: StandingDrainsParts,
  queue: DrainedQueue,
  signal: AbortSignal,
  note: (change: Partial<DrainStatus>) => void,
): Promise<void> {
  let before = 0;
  let held = 0;
  const onIncident = ({ kind, error }: Incident) =>
    note({ trouble: kind === "connection-restored" ? null : sentenceOf(error ?? kind) });
  return keepTrying({
    ...{ clock, signal },
    async attempt(progressed) {
      before += held;
      held = 0;
      note({ state: "draining", since: clock.now() });
      const onProgress = (progress: DrainProgress) => {
        held = progress.held;
        progressed();
        note({ held: before + held, trouble: null });
      };
      await drain(queue, { signal, onProgress, onIncident });
    },
    onFailure: (error) => note({ state: "waiting", since: clock.now(), trouble: sentenceOf(error) }),
  });
}
