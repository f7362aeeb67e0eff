import { type Clock, pause } from "../../domain/clock.ts";
import { hexOf, showId } from "../../domain/ids.ts";
import { sentenceOf, waitAfter } from "../keep-trying.ts";
import { changedStatus, type LastTrouble } from "../last-trouble.ts";
import type { AutoLook } from "./auto-replay.ts";

/** A replay this process leads, or will try again after it failed; for people. */
export interface LeadStatus {
  readonly replay: string;
  readonly state: "leading" | "waiting";
  /** Since when it is in that state, in milliseconds since 1970. */
  readonly since: number;
  /** Why it is waiting. */
  readonly trouble: string | null;
  readonly lastTrouble: LastTrouble | null;
}

/** How many replays are led. */
export interface LeadTuning {
  /** Replays at once, in this process; others wait for their turn or for another process. */
  readonly atOnce: number;
  /** How often it looks for replays that nobody leads, in milliseconds. */
  readonly lookMs: number;
  /** How often it seeks evidence of what was left in doubt, in milliseconds. */
  readonly settleMs: number;
  /** How often it looks for letters that may go by themselves, in milliseconds. */
  readonly autoMs: number;
}

const leadTuning: LeadTuning = { atOnce: 4, lookMs: 1_000, settleMs: 60_000, autoMs: 15_000 };

export interface StandingReplaysParts {
  /** Replays that are under way and that nobody leads, the oldest first. */
  readonly findLeaderless: (request: {
    readonly except: readonly Uint8Array[];
    readonly limit: number;
  }) => Promise<readonly Uint8Array[]>;
  /** Runs one until it ends, is paused, or `signal` aborts; somebody else may have it by then. */
  readonly run: (replay: Uint8Array, signal: AbortSignal) => Promise<unknown>;
  /** Finds out what became of sends that replays without a leader left in doubt. */
  readonly settleEnded: () => Promise<void>;
  /** Starts replays of letters that may go by themselves; gives the queues of which letters wait for a person, each with why. */
  readonly beginAuto: () => Promise<Pick<AutoLook, "waiting">>;
  readonly clock: Clock;
}

export interface StandingReplays {
  status(): readonly LeadStatus[];
  /** Sends nothing more and gives up the leads, so that another process goes on at once. */
  close(): Promise<void>;
}

/**
 * Leads whatever replay is under way and has no leader, for as long as the office runs: those just started, and those whose
 * leader is gone. Every process of an office does so; the leases in the ledger see to it that one leads.
 */
export function standingReplays(parts: StandingReplaysParts, tuning: LeadTuning = leadTuning): StandingReplays {
  return new Leading(parts, tuning);
}

interface Led {
  readonly id: Uint8Array;
  status: LeadStatus;
  failures: number;
  /** Left alone until then; null while it is led. */
  waitsUntil: number | null;
  running: Promise<void>;
}

class Leading implements StandingReplays {
  readonly #parts: StandingReplaysParts;
  readonly #tuning: LeadTuning;
  readonly #stop = new AbortController();
  readonly #known = new Map<string, Led>();
  /** Queues whose letters would go by themselves, and wait for a person. */
  #auto: readonly LeadStatus[] = [];
  readonly #looking: Promise<unknown>;

  constructor(parts: StandingReplaysParts, tuning: LeadTuning) {
    this.#parts = parts;
    this.#tuning = tuning;
    const { settleEnded, beginAuto } = parts;
    this.#looking = Promise.all([
      this.#keepOn(tuning.lookMs, () => this.#look()),
      this.#keepOn(tuning.settleMs, settleEnded),
      this.#keepOn(tuning.autoMs, async () => this.#noteAuto((await beginAuto()).waiting)),
    ]);
  }

  status(): readonly LeadStatus[] {
    return [...[...this.#known.values()].map(({ status }) => status), ...this.#auto];
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#looking;
    await Promise.all([...this.#known.values()].map(({ running }) => running));
  }

  async #keepOn(everyMs: number, act: () => Promise<unknown>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // A ledger or broker that does not answer is asked again; whoever asks for readiness is told.
      await act().catch(() => {});
      await pause(this.#parts.clock, everyMs, this.#stop.signal);
    }
  }

  /** So that whoever wonders why nothing goes by itself is told, for as long as that is so. */
  #noteAuto(waiting: AutoLook["waiting"]): void {
    const now = this.#parts.clock.now();
    this.#auto = waiting.map(({ place, sentence: trouble }): LeadStatus => {
      const replay = `auto-replay of ${place}`;
      const since = this.#auto.find((each) => each.replay === replay)?.since ?? now;
      return { replay, state: "waiting", since, trouble, lastTrouble: null };
    });
  }

  async #look(): Promise<void> {
    const now = this.#parts.clock.now();
    const known = [...this.#known.values()];
    const limit = this.#tuning.atOnce - known.filter(({ waitsUntil }) => waitsUntil === null).length;
    if (limit <= 0) return;
    const isBusy = ({ waitsUntil }: Led) => waitsUntil === null || waitsUntil > now;
    const except = known.filter(isBusy).map(({ id }) => id);
    const found = await this.#parts.findLeaderless({ except, limit });
    if (this.#stop.signal.aborted) return;
    const failed = new Map(known.filter((led) => !isBusy(led)).map((led) => [hexOf(led.id), led]));
    // One that is not there any more was paused, cancelled, or has another leader.
    for (const name of failed.keys()) this.#known.delete(name);
    for (const id of found) this.#lead(id, failed.get(hexOf(id)) ?? null);
  }

  #lead(id: Uint8Array, before: Led | null): void {
    const status = { replay: showId("replay", id), state: "leading", since: this.#parts.clock.now() } as const;
    const led: Led = {
      ...{ id, failures: before?.failures ?? 0, waitsUntil: null, running: Promise.resolve() },
      status: { ...status, trouble: null, lastTrouble: before?.status.lastTrouble ?? null },
    };
    this.#known.set(hexOf(id), led);
    led.running = this.#run(led);
  }

  async #run(led: Led): Promise<void> {
    const { run, clock } = this.#parts;
    try {
      await run(led.id, this.#stop.signal);
      this.#known.delete(hexOf(led.id));
    } catch (error) {
      const now = clock.now();
      led.waitsUntil = now + waitAfter(led.failures);
      led.failures += 1;
      led.status = changedStatus(led.status, { state: "waiting", since: now, trouble: sentenceOf(error) }, now);
    }
  }
}
