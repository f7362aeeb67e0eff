import { type Clock, pause } from "../../domain/clock.ts";
import type { Incident } from "../../transports/transport.ts";
import { keepForEach } from "../keep-for-each.ts";
import { keepTrying, sentenceOf } from "../keep-trying.ts";
import { changedStatus, type LastTrouble } from "../last-trouble.ts";
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
  /** Since when it cannot be drained, whatever was tried since, in milliseconds since 1970; null while it can. */
  readonly troubledSince: number | null;
  readonly lastTrouble: LastTrouble | null;
}

export interface StandingDrainsParts {
  /** Those there are by now: the same list until something about them changes. */
  readonly sources: () => readonly { readonly name: string }[];
  /** The queues of a source that are to be drained now. */
  readonly queuesOf: (source: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Drains one until it is stopped. */
  readonly drain: (
    queue: DrainedQueue,
    hooks: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: DrainProgress) => void;
      readonly onIncident: (incident: Incident) => void;
      /** The broker has let it in, though nothing may be there to take. */
      readonly onListening: () => void;
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
const changesSeenWithinMs = 1_000;

/**
 * Keeps every queue draining that is to be drained, for as long as the office runs: new sources and queues are found, what is no
 * longer to be drained is left alone, and what fails is begun again. Every process of an office does so; the brokers and the
 * ledger's sessions see to it that a letter is taken once, and what a dead process had in hand comes to the others by itself.
 */
export function standingDrains(parts: StandingDrainsParts): StandingDrains {
  const { clock } = parts;
  const stop = new AbortController();
  const statuses = new Map<string, DrainStatus>();
  const troubles = new Map<string, DrainStatus>();
  const running = keepForEach({
    ...{ clock, signal: stop.signal, names: () => parts.sources().map(({ name }) => name) },
    keep: keepSource,
  });

  async function keepSource(source: string, signal: AbortSignal): Promise<void> {
    let queues: readonly string[] = [];
    const keepQueue = (queue: string, over: AbortSignal) => keep({ source, queue }, over);
    const draining = keepForEach({ clock, signal, names: () => queues, keep: keepQueue });
    await watchQueues(parts, {
      ...{ source, signal },
      found(all) {
        queues = all;
        troubles.delete(source);
      },
      failed(trouble) {
        const since = clock.now();
        const troubledSince = troubles.get(source)?.troubledSince ?? since;
        const lastTrouble = { text: trouble, at: since };
        const status = { source, queue: "*", state: "waiting", since, held: 0 } as const;
        troubles.set(source, { ...status, trouble, troubledSince, lastTrouble });
      },
    });
    troubles.delete(source);
    await draining;
  }

  async function keep(queue: DrainedQueue, signal: AbortSignal): Promise<void> {
    const name = `${queue.source}/${queue.queue}`;
    const untroubled = { trouble: null, troubledSince: null, lastTrouble: null };
    let status: DrainStatus = { ...queue, state: "draining", since: clock.now(), held: 0, ...untroubled };
    const note = (change: Partial<DrainStatus>) => {
      status = changedStatus(status, change, clock.now());
      statuses.set(name, status);
    };
    note({});
    await keepDraining(parts, queue, signal, note);
    statuses.delete(name);
  }

  return {
    status: () => [...troubles.values(), ...statuses.values()],
    async close() {
      stop.abort();
      await running;
    },
  };
}

interface Watching {
  readonly source: string;
  readonly signal: AbortSignal;
  readonly found: (queues: readonly string[]) => void;
  readonly failed: (why: string) => void;
}

/** Looks every now and then, and as soon as somebody changed what is to be drained. */
async function watchQueues(
  { sources, queuesOf, clock }: StandingDrainsParts,
  { source, signal, found, failed }: Watching,
): Promise<void> {
  let seen: unknown = null;
  let lookedAt = 0;
  while (!signal.aborted) {
    if (seen !== sources() || clock.now() - lookedAt >= lookAgainMs) {
      seen = sources();
      lookedAt = clock.now();
      try {
        found(await queuesOf(source, signal));
      } catch (error) {
        if (!signal.aborted) failed(sentenceOf(error));
      }
    }
    await pause(clock, changesSeenWithinMs, signal);
  }
}

function keepDraining(
  { drain, clock }: StandingDrainsParts,
  queue: DrainedQueue,
  signal: AbortSignal,
  note: (change: Partial<DrainStatus>) => void,
): Promise<void> {
  let before = 0;
  let held = 0;
  let troubledSince: number | null = null;
  // Each attempt is a new state, and may fail as the last one did: what counts is since when none has come through.
  const hindered = (change: Partial<DrainStatus>) => {
    troubledSince ??= clock.now();
    note({ ...change, troubledSince });
  };
  const untroubled = (change: Partial<DrainStatus>) => {
    troubledSince = null;
    note({ ...change, trouble: null, troubledSince });
  };
  const onIncident = ({ kind, error }: Incident) => {
    const trouble = sentenceOf(error ?? kind);
    if (kind === "connection-restored") untroubled({});
    // A ledger that takes nothing more is asked again and again: nothing comes through until the next progress.
    else if (kind === "connection-lost" || kind === "settle-failed") hindered({ trouble });
    else note({ trouble });
  };
  return keepTrying({
    ...{ clock, signal },
    async attempt(progressed) {
      before += held;
      held = 0;
      note({ state: "draining", since: clock.now() });
      const onProgress = (progress: DrainProgress) => {
        held = progress.held;
        progressed();
        untroubled({ held: before + held });
      };
      await drain(queue, { signal, onProgress, onIncident, onListening: () => untroubled({}) });
    },
    onFailure: (error) => hindered({ state: "waiting", since: clock.now(), trouble: sentenceOf(error) }),
  });
}
