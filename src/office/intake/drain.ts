import type { Actor } from "../../domain/actor.ts";
import { type Host, pause } from "../../domain/clock.ts";
import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import { makeId } from "../../domain/ids.ts";
import { type Address, type Delivery, done, type Verdict } from "../../domain/message.ts";
import { withDefaults } from "../../domain/options.ts";
import { beginSession, type DrainSession, endSession, extendSession } from "../../ledger/drain-session.ts";
import type { HoldOutcome } from "../../ledger/hold-letters.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { Incident, Transport } from "../../transports/transport.ts";
import { foundLetter } from "./found-letter.ts";
import { holdBatch } from "./hold-batch.ts";
import { type ReadingRoom, readLetters } from "./read-letters.ts";

export interface DrainTuning {
  /** Letters committed at once, at most. @default 500 */
  readonly batch?: number;
  /** How long the first of a batch waits for others, in milliseconds. @default 20 */
  readonly lingerMs?: number;
  /** Batches on their way to the ledger at once. @default 2 */
  readonly parallel?: number;
  /**
   * How long others wait for this drain when it is silent, in milliseconds. Too short, and a slow ledger makes the drain
   * begin anew; too long, and what it had in hand when it died waits that long. @default 30_000
   */
  readonly leaseMs?: number;
  /** Ends when nothing came for so long, in milliseconds; null goes on until it is stopped. @default 2_000 */
  readonly idleMs?: number | null;
  /**
   * How long letters whose bodies can't be stored are tried again, in milliseconds, before a drain that ends when nothing comes ends
   * with an error; one that goes on until it is stopped goes on trying. @default 8_000
   */
  readonly giveUpMs?: number;
}

const drainDefaults: Required<DrainTuning> = {
  batch: 500,
  lingerMs: 20,
  parallel: 2,
  leaseMs: 30_000,
  idleMs: 2_000,
  giveUpMs: 8_000,
};

/** A drain by the name of its source. */
export interface DrainRequest {
  readonly source: string;
  readonly queue: string;
  readonly actor: Actor;
  readonly tuning: DrainTuning;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: DrainProgress) => void;
  readonly onIncident?: (incident: Incident) => void;
  readonly onListening?: () => void;
}

export interface DrainParts {
  readonly ledger: Ledger;
  readonly transport: Transport;
  /** The queue, with the group where it is a log. */
  readonly from: Address;
  /** The connection's name. */
  readonly source: string;
  readonly room: ReadingRoom;
  readonly actor: Actor;
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: DrainProgress) => void;
  readonly onIncident?: (incident: Incident) => void;
  readonly onListening?: () => void;
}

export interface DrainProgress {
  /** Letters the ledger did not have. */
  readonly held: number;
  /** Letters it had already. */
  readonly known: number;
  /** Letters it had sent back, and that died again. */
  readonly returned: number;
  readonly unacknowledged: number;
}

interface InHand {
  readonly delivery: Delivery;
  readonly session: Session;
  readonly ordinal: number;
  settle(verdict: Verdict): void;
  giveUp(error: unknown): void;
}

interface Session extends DrainSession {
  readonly ready: Promise<void>;
  count: number;
}

/**
 * How long a broker may take to let the drain in, in milliseconds: until then silence tells nothing of the queue. Kafka
 * lets the first of a group wait 3 s for others, and a dead member's place is free only later.
 */
const joiningMs = 15_000;
/** A process that was stopped for a while, or starved, has slept rather than heard nothing: time alone does not tell. */
const looksUntilIdle = 4;
const undecidedAgainMs = 1_000;
const firstRetryMs = 200;
const longestRetryMs = 10_000;

/**
 * Takes what is in a dead-letter queue into the ledger: batch by batch, each committed first and acknowledged then. Killed
 * at any moment, it loses nothing; what was committed and not acknowledged is recognised when it comes again.
 */
export async function drain(parts: DrainParts, tuning?: DrainTuning): Promise<DrainProgress> {
  return new Drain(parts, withDefaults(drainDefaults, tuning)).run();
}

class Drain {
  readonly #parts: DrainParts;
  readonly #tuning: Required<DrainTuning>;
  readonly #stop = new AbortController();
  #session: Session;
  #waiting: InHand[] = [];
  #undecided = 0;
  #underWay = 0;
  #cancelLinger: (() => void) | null = null;
  #lastAt: number;
  /** Looks in a row at which nothing had come. */
  #silentLooks = 0;
  /** The broker has let it in: only since then silence tells something. */
  #isLetIn = false;
  /** The broker is away, and has not come back. */
  #lost: Incident | null = null;
  /** Why letters could not be stored, where it gave up. */
  #unstored: OfficeError | null = null;
  #held = 0;
  #known = 0;
  #returned = 0;

  constructor(parts: DrainParts, tuning: Required<DrainTuning>) {
    this.#parts = parts;
    this.#tuning = tuning;
    this.#session = this.#newSession();
    this.#lastAt = parts.host.clock.now() + joiningMs;
  }

  async run(): Promise<DrainProgress> {
    const { transport, from, signal } = this.#parts;
    const { batch, parallel, leaseMs } = this.#tuning;
    const stop = () => this.#stop.abort();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const inHand = batch * (parallel + 2);
    const upkeep = this.#keepUp();
    try {
      await this.#session.ready;
      await transport.consume(from, (delivery) => this.#take(delivery), {
        concurrency: inHand,
        prefetch: inHand,
        order: "none",
        leaseMs: Math.max(leaseMs, 60_000),
        returnDelayMs: 1_000,
        signal: this.#stop.signal,
        report: (incident) => this.#hear(incident),
        listening: () => {
          this.#letIn();
          this.#parts.onListening?.();
        },
      });
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
      await upkeep;
      await endSession(this.#parts.ledger, this.#session.id).catch(() => {});
    }
    if (this.#unstored !== null) throw this.#withoutStore(this.#unstored);
    if (this.#lost !== null && !signal.aborted) throw this.#withoutBroker(this.#lost);
    if (!this.#isLetIn && !signal.aborted) throw this.#notLetIn();
    return this.#progress();
  }

  /** Nothing came because it was never its turn: that must not pass for a queue that is empty either. */
  #notLetIn(): OfficeError {
    const { source, from } = this.#parts;
    return new OfficeError(
      "TRANSPORT_UNAVAILABLE",
      `${source}/${from.name} is not drained: its broker did not let the drain in. Another consumer of its group may have all of it, or one that died may still hold its place: try again in a minute.`,
    );
  }

  /** Nothing came because nobody was there to send it: that must not pass for a queue that is empty. */
  #withoutBroker({ error }: Incident): OfficeError {
    const { source, from } = this.#parts;
    const why = error instanceof Error ? `: ${error.message}` : ".";
    return new OfficeError(
      "TRANSPORT_UNAVAILABLE",
      `${source}/${from.name} is not drained (letters taken before the broker was away: ${this.#held})${why}`,
      { cause: error },
    );
  }

  /** Nothing came of what was there: what is acknowledged must be stored first. */
  #withoutStore(cause: OfficeError): OfficeError {
    const { source, from } = this.#parts;
    return new OfficeError(
      "STORE_UNAVAILABLE",
      `${source}/${from.name} is not drained to its end (letters taken: ${this.#held}): what is not stored stays in the queue, and comes again within a minute. ${cause.message}`,
      { cause },
    );
  }

  #letIn(): void {
    this.#isLetIn = true;
    this.#countSilenceFromNow();
  }

  #countSilenceFromNow(): void {
    this.#lastAt = this.#parts.host.clock.now();
    this.#silentLooks = 0;
  }

  #take(delivery: Delivery): Promise<Verdict> {
    this.#letIn();
    this.#lost = null;
    const session = this.#session;
    session.count += 1;
    const ordinal = session.count;
    return new Promise((settle, giveUp) => {
      this.#waiting.push({ delivery, session, ordinal, settle, giveUp });
      this.#flushSoon();
    });
  }

  #flushSoon(): void {
    if (this.#waiting.length >= this.#tuning.batch) this.#flush();
    else {
      this.#cancelLinger ??= this.#parts.host.clock.after(this.#tuning.lingerMs, () => {
        this.#cancelLinger = null;
        this.#flush();
      });
    }
  }

  #flush(): void {
    if (this.#underWay >= this.#tuning.parallel) return;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const other = this.#waiting.findIndex(({ session }) => session !== first.session);
    const size = Math.min(this.#tuning.batch, other === -1 ? this.#waiting.length : other);
    const batch = this.#waiting.splice(0, size);
    this.#underWay += 1;
    void this.#commit(batch, first.session).finally(() => {
      this.#underWay -= 1;
      // With full hands nothing could come, however slow the ledger was: that silence told nothing of the queue.
      this.#countSilenceFromNow();
      if (this.#waiting.length > 0) this.#flushSoon();
    });
  }

  /** Asks until there is an answer: an unknown one is asked for again under the same identities. */
  async #commit(batch: readonly InHand[], session: Session): Promise<void> {
    const { clock } = this.#parts.host;
    const beganAt = clock.now();
    for (let failures = 0; ; failures++) {
      try {
        this.#settle(batch, await this.#hold(batch, session));
        return;
      } catch (error) {
        if (isOfficeError(error, "STORE_UNAVAILABLE") && this.#givesUp(clock.now() - beganAt)) {
          this.#unstored ??= error;
          this.#stop.abort();
        }
        if (isOfficeError(error, "DRAIN_LOST") || this.#stop.signal.aborted) {
          this.#giveUp(batch, session, error);
          return;
        }
        this.#parts.onIncident?.({ kind: "settle-failed", error });
        const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** failures);
        await pause(clock, delayMs, this.#stop.signal);
      }
    }
  }

  /** A drain that is to end must not wait for a store that may never come back. */
  #givesUp(failingMs: number): boolean {
    const { idleMs, giveUpMs } = this.#tuning;
    return idleMs !== null && failingMs >= giveUpMs;
  }

  async #hold(batch: readonly InHand[], session: Session): Promise<readonly HoldOutcome[]> {
    const { ledger, room, actor, host, source, transport } = this.#parts;
    await session.ready;
    const found = batch.map(({ delivery, ordinal }) =>
      foundLetter({ delivery, source, transport, session: session.id, ordinal }),
    );
    const letters = await readLetters(room, found, host.clock);
    return holdBatch(ledger, { letters, actor, now: host.clock.now(), by: "drain", session });
  }

  #settle(batch: readonly InHand[], outcomes: readonly HoldOutcome[]): void {
    const undecided: InHand[] = [];
    batch.forEach((each, index) => {
      if (outcomes[index] === "undecided") undecided.push(each);
      else each.settle(done);
    });
    const those = (wanted: HoldOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
    this.#held += those("new");
    this.#returned += those("returned");
    this.#known += those("known") + those("merged");
    if (undecided.length > 0) this.#askAgain(undecided);
    this.#parts.onProgress?.(this.#progress());
  }

  /** Kept unacknowledged while the drain that may have had them before is not known to be dead. */
  #askAgain(undecided: readonly InHand[]): void {
    this.#undecided += undecided.length;
    void pause(this.#parts.host.clock, undecidedAgainMs, this.#stop.signal).then(() => {
      this.#undecided -= undecided.length;
      if (this.#stop.signal.aborted) {
        for (const each of undecided) each.giveUp(this.#stop.signal.reason);
        return;
      }
      this.#waiting.push(...undecided);
      this.#flushSoon();
    });
  }

  #giveUp(batch: readonly InHand[], session: Session, error: unknown): void {
    if (this.#session === session && !this.#stop.signal.aborted) this.#beginAnew();
    for (const each of batch) each.giveUp(error);
  }

  /**
   * What was in hand when the connection went comes again, as a second delivery: it can be told from others only when the
   * session it was first taken in has ended.
   */
  #hear(incident: Incident): void {
    if (incident.kind === "connection-lost") {
      this.#lost = incident;
      this.#countSilenceFromNow();
      this.#beginAnew();
    }
    if (incident.kind === "connection-restored") {
      this.#lost = null;
      this.#countSilenceFromNow();
    }
    this.#parts.onIncident?.(incident);
  }

  #beginAnew(): void {
    const old = this.#session;
    this.#session = this.#newSession();
    // If this fails, its lease lapses by itself.
    void endSession(this.#parts.ledger, old.id).catch(() => {});
  }

  #newSession(): Session {
    const { host, ledger, source, from, actor } = this.#parts;
    const session = { id: makeId(host.clock.now(), host.newId()), source, queue: from.name };
    const ready = beginSession(ledger, session, { actor, leaseMs: this.#tuning.leaseMs });
    // Whoever needs it awaits it; until then a failure is nobody's.
    ready.catch(() => {});
    return { ...session, ready, count: 0 };
  }

  /** Extends the lease, and ends the drain when nothing more comes. */
  async #keepUp(): Promise<void> {
    const { ledger, host } = this.#parts;
    const { leaseMs, idleMs } = this.#tuning;
    const everyMs = Math.min(leaseMs / 3, idleMs === null ? Number.POSITIVE_INFINITY : idleMs / looksUntilIdle);
    let extendedAt = host.clock.now();
    while (!this.#stop.signal.aborted) {
      await pause(host.clock, everyMs, this.#stop.signal);
      this.#silentLooks += 1;
      if (idleMs !== null && this.#isIdle(idleMs)) this.#stop.abort();
      if (host.clock.now() - extendedAt < leaseMs / 3) continue;
      extendedAt = host.clock.now();
      const kept = await extendSession(ledger, this.#session.id, leaseMs).catch(() => true);
      if (!kept) this.#beginAnew();
    }
  }

  #isIdle(idleMs: number): boolean {
    const inHand = this.#waiting.length + this.#undecided + this.#underWay;
    const silentMs = this.#parts.host.clock.now() - this.#lastAt;
    return inHand === 0 && silentMs >= idleMs && this.#silentLooks >= looksUntilIdle;
  }

  #progress(): DrainProgress {
    const unacknowledged = this.#waiting.length + this.#undecided;
    return { held: this.#held, known: this.#known, returned: this.#returned, unacknowledged };
  }
}
