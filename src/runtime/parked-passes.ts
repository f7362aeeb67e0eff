import { type Cancel, type Host, pause } from "../domain/clock.ts";
import { numberToRelease } from "../domain/key-release.ts";
import {
  type Address,
  type Delivery,
  done,
  headerText,
  type Message,
  replaceHeaders,
  textHeader,
  type Verdict,
} from "../domain/message.ts";
import { queueNames, wire } from "../domain/wire.ts";
import type { BlockedKeys, Lane } from "../stores/blocked-keys.ts";
import type { Incident, Transport } from "../transports/transport.ts";
import { readAttemptLog } from "./attempt-log.ts";
import type { Events } from "./events.ts";
import { laneNumber } from "./lane-number.ts";
import { deliveryLost } from "./ordered-delivery.ts";
import { ReleaseSigns } from "./release-signs.ts";

export interface PassParts {
  readonly transport: Transport;
  readonly source: Address;
  readonly queue: string;
  readonly leaseMs: number;
  readonly returnDelayMs: number;
  readonly host: Host;
  readonly store: BlockedKeys;
  readonly events: Events;
  /** The consumer stops. */
  readonly signal: AbortSignal;
}

/** How often the store is asked whether there is something to fetch, in milliseconds. */
const lookEveryMs = 1_000;
/** After passes that fetched nothing it is asked less and less often, down to this. */
const lookAtLeastEveryMs = 60_000;
/** A pass is over when nothing has come for so long, in milliseconds; at first the subscription takes its time. */
const idleMs = 2_000;
/**
 * Behind dead messages nothing is fetched, and yet a release message may lie there. Whether one may is asked so often, in milliseconds.
 * Where nobody can tell, and as long as it may and there is none, all is passed over for that less and less often, and never for more than a
 * twentieth of the time.
 */
const releasesEveryMs = 30_000;
const releasesAtLeastEveryMs = 600_000;
const releasesShare = 20;
const firstIdleMs = 10_000;
/** Where a key has a sequence of its own, one whose messages were all seen is held back for so long, in milliseconds, or others never come. */
const heldMs = 2 * idleMs;
/** Renewed every second; after a crash the next one waits this long, in milliseconds. */
const passLeaseMs = 10_000;
/** What is taken ahead is re-sent or given back when the pass ends. */
const prefetch = 10;

/** One pass over the parked messages. */
interface Pass {
  /** Stamped on what has to stay: when that comes again, all were seen. */
  readonly id: string;
  readonly over: AbortController;
  readonly beganAt: number;
  lastAt: number;
  patienceMs: number;
  released: number;
  /** Messages that came, and places that release messages took away. */
  seen: number;
  freed: number;
  /** Left there, though the store knows nothing of them and they ask for nothing. */
  strangers: number;
  /** Of those that were left there. */
  readonly numbers: Set<number>;
  /** It ended early: another one had seen them all a short while ago. */
  isCut: boolean;
  /** Nothing is to be fetched: it only looks for release messages. */
  readonly onlyReleases: boolean;
}

/**
 * Fetches parked messages back into their queue, when it is their turn.
 *
 * A queue cannot be searched, so whoever has the lease goes through all of it, and sends again, to its end, what has to
 * stay. Nothing depends on there being only one, nor on a pass that comes to its end: numbers decide who may run.
 */
export class ParkedPasses {
  readonly #parts: PassParts;
  readonly #parked: Address;
  readonly #holder: string;
  readonly #signs: ReleaseSigns;
  #wake = new AbortController();
  #running: Promise<void> | undefined = undefined;
  /** How long to wait before the next look for release messages alone, and when that is, in milliseconds. */
  #releasesEveryMs = releasesEveryMs;
  #releasesAt: number;

  constructor(parts: PassParts) {
    const { queue, source, host } = parts;
    this.#parts = parts;
    const { group } = source;
    this.#parked = { name: queueNames.parked(queue), ...(group !== undefined && { group }) };
    this.#holder = host.newId();
    this.#signs = new ReleaseSigns({ ...parts, parked: this.#parked });
    this.#releasesAt = host.clock.now() + releasesEveryMs;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** There is something to fetch. */
  wake(): void {
    this.#wake.abort();
  }

  /** Resolves when no pass is under way any more, once the consumer was told to stop. */
  async over(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal, host } = this.#parts;
    const stop = () => this.wake();
    signal.addEventListener("abort", stop, { once: true });
    for (let waitMs = lookEveryMs; !signal.aborted; ) {
      const released = await this.#look();
      waitMs = released === 0 ? Math.min(2 * waitMs, lookAtLeastEveryMs) : lookEveryMs;
      await pause(host.clock, waitMs * (0.9 + host.random() / 5), this.#wake.signal);
      if (!signal.aborted) this.#wake = new AbortController();
    }
    signal.removeEventListener("abort", stop);
  }

  /** How many were released; null if there was nothing to fetch, or somebody else is at it. */
  async #look(): Promise<number | null> {
    try {
      const onlyReleases = await this.#claim();
      if (onlyReleases === null) return null;
      const pass = await this.#pass(onlyReleases);
      if (!pass.isCut && !this.#parts.signal.aborted) await this.#signs.seenAll(pass.strangers);
      await this.#parts.store.endPass(this.#parts.queue, this.#holder);
      this.#planReleases(pass);
      return onlyReleases && pass.freed === 0 ? null : pass.released;
    } catch (error) {
      // The store or the broker is away: the next time will do.
      this.#tell({ kind: "settle-failed", error });
      return 0;
    }
  }

  /** Whether the pass is for release messages alone; null: there is none now. */
  async #claim(): Promise<boolean | null> {
    const { store, queue, host } = this.#parts;
    if (await store.claimPass(queue, this.#holder, passLeaseMs)) return false;
    if (host.clock.now() < this.#releasesAt) return null;
    const isMine = await store.claimPass(queue, this.#holder, passLeaseMs, { forReleases: true });
    if (isMine && (await this.#signs.areThere()) !== false) return true;
    if (isMine) {
      await store.endPass(queue, this.#holder);
      this.#releasesEveryMs = releasesEveryMs;
    }
    this.#releasesAt = host.clock.now() + this.#releasesEveryMs;
    return null;
  }

  #planReleases({ beganAt, freed }: Pass): void {
    const now = this.#parts.host.clock.now();
    const longer = freed > 0 ? releasesEveryMs : 2 * this.#releasesEveryMs;
    this.#releasesEveryMs = Math.min(releasesAtLeastEveryMs, Math.max(longer, releasesShare * (now - beganAt)));
    this.#releasesAt = now + this.#releasesEveryMs;
  }

  async #pass(onlyReleases: boolean): Promise<Pass> {
    const { transport, leaseMs, returnDelayMs, host, signal } = this.#parts;
    const over = new AbortController();
    const stop = () => over.abort();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) over.abort();
    const now = host.clock.now();
    const id = `${host.newId()}@${now}`;
    const counts = { seen: 0, released: 0, freed: 0, strangers: 0, numbers: new Set<number>(), isCut: false };
    const pass: Pass = { id, over, beganAt: now, lastAt: now, patienceMs: firstIdleMs, ...counts, onlyReleases };
    const cancelWatch = this.#watch(pass);
    try {
      await transport.consume(this.#parked, (delivery) => this.#handle(delivery, pass), {
        ...{ concurrency: 1, prefetch, leaseMs, returnDelayMs, signal: over.signal },
        order: transport.hasSequenceByKey === true ? "key" : "none",
        report: (incident) => this.#tell(incident),
      });
    } finally {
      cancelWatch();
      signal.removeEventListener("abort", stop);
    }
    return pass;
  }

  /** Ends the pass when nothing comes any more, and keeps the lease until then. */
  #watch(pass: Pass): Cancel {
    const { host, store, queue } = this.#parts;
    let cancel: Cancel = () => {};
    const look = () => {
      if (host.clock.now() - pass.lastAt >= pass.patienceMs) pass.over.abort();
      if (pass.over.signal.aborted) return;
      // Lost or not, it goes on: two at once only do the same work twice.
      store.claimPass(queue, this.#holder, passLeaseMs, { forReleases: true }).catch(() => {});
      cancel = host.clock.after(idleMs / 2, look);
    };
    cancel = host.clock.after(idleMs / 2, look);
    return () => cancel();
  }

  async #handle(delivery: Delivery, pass: Pass): Promise<Verdict> {
    const { host, store, queue } = this.#parts;
    const { message } = delivery;
    pass.lastAt = host.clock.now();
    pass.patienceMs = idleMs;
    pass.seen += 1;
    if (pass.onlyReleases && pass.seen === 1 && this.#wasPassedLately(message)) {
      pass.isCut = true;
      pass.over.abort();
    }
    const number = laneNumber(message.headers, queue);
    const release = numberToRelease(message.headers, queue);
    if (message.key === null || (number === null && release === null)) return this.#stay(message, pass, "stranger");
    const lane = { queue, key: message.key };
    if (number === null) return this.#releasePlace(message, lane, release, pass);
    const weighed = await store.weigh(lane, number);
    if (weighed.kind === "stay") return this.#stay(message, pass, number);
    if (weighed.kind === "release") {
      await this.#release(delivery, lane, number, weighed.turn);
      pass.released += 1;
    }
    return done;
  }

  /** Another consumer looked for release messages a short while ago. Clocks may differ: then it is looked again. */
  #wasPassedLately({ headers }: Message): boolean {
    const [, at = ""] = (headerText(headers, wire.pass) ?? "").split("@");
    const ageMs = this.#parts.host.clock.now() - Number(at);
    return at !== "" && ageMs >= 0 && ageMs < releasesEveryMs;
  }

  /** A message that is not dead yet, or not any more, keeps its place: the release waits until that is clear. */
  async #releasePlace(message: Message, lane: Lane, number: number | null, pass: Pass): Promise<Verdict> {
    const { store, events } = this.#parts;
    if (number === null) return this.#stay(message, pass, "stranger");
    const [outcome = "alive"] = await store.release([{ ...lane, number }]);
    if (outcome === "alive") return this.#stay(message, pass, "release");
    if (outcome === "released") pass.freed += 1;
    events.emit({ type: "key-released", key: lane.key, number, outcome });
    return done;
  }

  /** Where one sequence has all keys, the first that comes again ends the pass; else it ends when only such are left. */
  #stay(message: Message, pass: Pass, as: number | "stranger" | "release"): Verdict {
    const { id, over, numbers } = pass;
    if (headerText(message.headers, wire.pass) === id) {
      if (this.#parts.transport.hasSequenceByKey === true) return { kind: "retry", delayMs: heldMs, message };
      over.abort();
    }
    // A second copy of a number is one more than the store knows of.
    else if (as === "stranger" || (as !== "release" && numbers.has(as))) pass.strangers += 1;
    else if (as !== "release") numbers.add(as);
    const headers = replaceHeaders(message.headers, [textHeader(wire.pass, id)]);
    return { kind: "park", to: { name: queueNames.parked(this.#parts.queue) }, message: { ...message, headers } };
  }

  /** In its queue first, then told, then gone from here: a crash in between leaves two copies of one number. */
  async #release(delivery: Delivery, lane: Lane, number: number, turn: string): Promise<void> {
    const { transport, source, store, events, leaseMs } = this.#parts;
    const { message, sendId = null } = delivery;
    if (!(await delivery.extend(leaseMs))) throw deliveryLost();
    // On a log only what is delayed goes to this group alone.
    const delayMs = source.group === undefined ? 0 : 1;
    await transport.send(source, message, { delayMs, onward: true, sendId });
    await store.released(lane, number, turn);
    const { attempt } = readAttemptLog(message.headers, lane.queue);
    events.emit({ type: "released", number, message, attempt });
  }

  /** How the connection is, the consumer's own subscription tells. */
  #tell(incident: Incident): void {
    if (/^(connection|broker)-/.test(incident.kind)) return;
    this.#parts.events.emit({ type: "incident", incident });
  }
}
