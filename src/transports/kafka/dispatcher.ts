import { type Cancel, type Host, pause } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import type { Address, Message, Verdict } from "../../domain/message.ts";
import { Deque } from "../deque.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import type { ConsumeOptions, Handle, Incident } from "../transport.ts";
import type { BrokerTime } from "./broker-time.ts";
import { KafkaDelivery, type Resend } from "./delivery.ts";
import type { Position } from "./driver.ts";
import { type Entry, entryId, type PartitionWork } from "./partition-work.ts";
import { decodeRecord, encodeRecord, restOf } from "./record-codec.ts";
import type { Sender } from "./sender.ts";

export interface DispatcherParts {
  readonly host: Host;
  readonly from: Address;
  readonly handle: Handle;
  readonly options: ConsumeOptions;
  readonly sender: Sender;
  readonly time: BrokerTime;
  readonly report: (incident: Incident) => void;
  /** Partitions from which messages may be taken at this moment. */
  readonly works: () => readonly PartitionWork[];
  readonly commits: { request(): void; flush(): Promise<void> };
  /** A message of it is no longer in hand. */
  readonly released: (work: PartitionWork) => void;
}

type OnwardVerdict = Exclude<Verdict, { kind: "done" }>;

/** How long a consumer that was told to stop waits for a broker that gives no answer, in milliseconds. */
const lastWordsMs = 5_000;
/** So many of one partition are taken in a row before it is another's turn. */
const turnLength = 32;

/** Takes messages of all partitions into hand, hands them over, and carries out what is decided. */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  /** In hand: taken, running or being settled. */
  readonly #inHand = new Set<Entry>();
  /** In hand, which the broker is to be told before they are handed over. */
  #taken: Entry[] = [];
  /** The broker knows, and they wait for a handler that is free. */
  readonly #ready = new Deque<Entry>();
  readonly #timers = new Set<Cancel>();
  #running = 0;
  #turn = 0;
  /** When it was told to stop, by our own clock. */
  #stoppedAt = Number.POSITIVE_INFINITY;
  #cancelAlarm: Cancel | null = null;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Calls of `handle` under way, and verdicts that are being carried out. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#inHand.size === 0;
  }

  /** Something has changed: limits, messages, partitions. */
  pump(): void {
    this.#giveBack(this.#excess());
    this.#startReady();
    this.#parts.commits.request();
  }

  /** Hands nothing over any more. */
  stop(): void {
    this.#stoppedAt = this.#parts.host.clock.now();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#cancelAlarm?.();
    this.pump();
  }

  /** Takes what there is room for; it is handed over after the next commit, which calls it in hand. */
  prepare(): void {
    const now = this.#parts.time.now();
    const works = this.#parts.works();
    for (let idle = 0; idle < works.length && this.#room() > 0; this.#turn++) {
      const work = works[this.#turn % works.length] as PartitionWork;
      idle = this.#takeFrom(work, now) ? 0 : idle + 1;
    }
    this.#setAlarm(works, now);
  }

  /** The broker knows what was taken. */
  confirm(): void {
    for (const entry of this.#taken.splice(0)) if (entry.state === "taken") this.#ready.push(entry);
    this.#giveBack(this.#excess());
    this.#startReady();
  }

  /** Gives back what no handler has seen of these partitions. */
  release(works: ReadonlySet<PartitionWork>): void {
    const kept: Entry[] = [];
    const back: Entry[] = [];
    for (let entry = this.#ready.shift(); entry !== undefined; entry = this.#ready.shift()) {
      (works.has(entry.work) ? back : kept).push(entry);
    }
    for (const entry of kept) this.#ready.push(entry);
    this.#giveBack(back);
    this.#parts.commits.request();
  }

  /** These partitions are no longer ours: whatever is decided about their messages changes nothing. */
  abandon(works: ReadonlySet<PartitionWork>, error?: unknown): void {
    for (const entry of this.#inHand) {
      if (!works.has(entry.work)) continue;
      if (entry.state === "running") this.#parts.report({ kind: "delivery-lost", message: messageOf(entry), error });
      this.#letGo(entry, "over");
    }
  }

  get #isStopping(): boolean {
    return this.#stoppedAt !== Number.POSITIVE_INFINITY;
  }

  /** How many handlers may run now. */
  #limit(): number {
    if (this.#isStopping) return 0;
    const { concurrency, gate } = this.#parts.options;
    return gate === undefined ? concurrency : Math.min(concurrency, gate.limit);
  }

  /** How many may be in hand. A narrowed gate takes nothing ahead: it would only sit here. */
  #room(): number {
    const { concurrency, prefetch } = this.#parts.options;
    const limit = this.#limit();
    return (limit < concurrency ? limit : prefetch) - this.#inHand.size;
  }

  #takeFrom(work: PartitionWork, now: number): boolean {
    let count = 0;
    for (; count < turnLength && this.#room() > 0; count++) {
      const entry = this.#next(work, now);
      if (entry === undefined) break;
      entry.state = "taken";
      this.#hold(entry);
      this.#taken.push(entry);
    }
    return count > 0;
  }

  #next(work: PartitionWork, now: number): Entry | undefined {
    for (let entry = work.peek(now); entry !== undefined; entry = work.peek(now)) {
      if (work.waitMs === 0 && !this.#mayTakeCharged()) return undefined;
      if (this.#room() <= 0 || !work.progress.fits(entry)) return undefined;
      work.shift();
      if (entry.state !== "waiting") continue;
      const rest = entry.isRetry ? restOf(entry.record) : undefined;
      if (rest !== undefined) void this.#delayOn(entry, rest);
      else if (work.keys === null || work.keys.take(entry)) return entry;
    }
    return undefined;
  }

  /**
   * Charged messages come by the topic without a wait. One at a time, and only when its handler can run: when the process
   * dies, one that was merely in hand would be taken for what killed it.
   */
  #mayTakeCharged(): boolean {
    if (this.#running + this.#ready.length + this.#taken.length >= this.#limit()) return false;
    for (const { work } of this.#inHand) if (work.waitMs === 0) return false;
    return true;
  }

  #hold(entry: Entry): void {
    this.#inHand.add(entry);
    entry.work.busy += 1;
    entry.work.progress.take(entry);
  }

  /** It is no longer in hand. */
  #letGo(entry: Entry, state: "waiting" | "over"): void {
    entry.state = state;
    if (!this.#inHand.delete(entry)) return;
    entry.work.busy -= 1;
    this.#parts.released(entry.work);
  }

  #excess(): Entry[] {
    const excess: Entry[] = [];
    for (let room = this.#room(); room < 0 && this.#ready.length > 0; room++) excess.push(this.#ready.pop() as Entry);
    return excess.reverse();
  }

  #giveBack(entries: readonly Entry[]): void {
    for (const entry of entries.toReversed()) {
      this.#letGo(entry, "waiting");
      entry.work.keys?.putBack(entry);
      entry.work.enqueue(entry, "first");
    }
  }

  #startReady(): void {
    while (this.#running < this.#limit()) {
      const entry = this.#ready.shift();
      if (entry === undefined) return;
      if (entry.state === "taken") void this.#handOver(entry);
    }
  }

  async #handOver(entry: Entry): Promise<void> {
    const { handle, from, options, report } = this.#parts;
    entry.state = "running";
    this.#running += 1;
    try {
      const verdict = await handle(new KafkaDelivery(entry, from, this.#resend));
      if (verdict.kind === "done") this.#finish(entry);
      else void this.#carryOut(entry, verdict);
    } catch (error) {
      report({ kind: "settle-failed", error, message: messageOf(entry) });
      this.#returnLater(entry, options.leaseMs, true);
    }
    this.#running -= 1;
    this.#startReady();
    this.#parts.released(entry.work);
  }

  /** Whatever is said of a message that is over, charged and resent or lost, is not heard. */
  async #carryOut(entry: Entry, verdict: OnwardVerdict): Promise<void> {
    const { report, options, host } = this.#parts;
    for (let tried = 1; entry.state === "running"; tried++) {
      try {
        if (verdict.kind === "retry") await this.#delay(entry, verdict.message, verdict.delayMs);
        else await this.#parts.sender.send(verdict.to, verdict.message, 0);
        return this.#finish(entry);
      } catch (error) {
        const message = messageOf(entry);
        if (verdict.kind !== "retry" || !isOfficeError(error, "TRANSPORT_UNAVAILABLE")) {
          // To finish it now could lose it; to come back at once would hammer a topic that has just refused.
          report({ kind: "onward-failed", error, message, retryInMs: options.returnDelayMs });
          return this.#returnLater(entry, options.returnDelayMs, false);
        }
        if (host.clock.now() - this.#stoppedAt > lastWordsMs) return this.abandon(new Set([entry.work]), error);
        const retryInMs = repeatDelayMs(tried, host.random);
        report({ kind: "settle-failed", error, message, retryInMs });
        await pause(host.clock, retryInMs);
      }
    }
  }

  async #delay(entry: Entry, message: Message, delayMs: number): Promise<void> {
    const { sender, from } = this.#parts;
    this.#block(entry, await sender.delay(from, entry.work.partition, encodeRecord(message), delayMs));
  }

  readonly #resend: Resend = async (entry, message) => {
    await this.#delay(entry, message, 0);
    this.#finish(entry);
    // Until that is committed, a crash would bring back the message as it was before.
    await this.#parts.commits.flush();
  };

  /** One wait of its delay is over: it goes to the next. */
  async #delayOn(entry: Entry, rest: { readonly restMs: number; readonly slackMs: number }): Promise<void> {
    const { sender, from, options } = this.#parts;
    entry.state = "running";
    this.#hold(entry);
    try {
      this.#block(entry, await sender.delayOn(from, entry.work.partition, entry.record, rest));
      this.#finish(entry);
    } catch (error) {
      this.#parts.report({ kind: "settle-failed", error, retryInMs: options.returnDelayMs });
      this.#returnLater(entry, options.returnDelayMs, false);
    }
  }

  /** The later messages of its key wait for the copy. Where that lies is unknown only if the broker no longer knows. */
  #block({ work, lane }: Entry, copy: Position): void {
    if (copy.offset >= 0) work.keys?.block(lane, entryId(copy, copy.offset));
  }

  #finish(entry: Entry): void {
    if (entry.state !== "running") return;
    this.#letGo(entry, "over");
    entry.work.finish(entry);
    entry.work.keys?.leave(entry);
    this.#parts.commits.request();
  }

  /** It is handed over again after a while, and blocks its key until then. */
  #returnLater(entry: Entry, delayMs: number, isSuspect: boolean): void {
    if (entry.state !== "running") return;
    entry.isSuspect = isSuspect;
    this.#letGo(entry, "waiting");
    if (this.#isStopping) return;
    const cancel = this.#parts.host.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      entry.work.keys?.putBack(entry);
      entry.work.enqueue(entry, "first");
      this.#parts.commits.request();
    });
    this.#timers.add(cancel);
    this.#parts.commits.request();
  }

  /** What waits for its time is looked at again when that has come. */
  #setAlarm(works: readonly PartitionWork[], now: number): void {
    this.#cancelAlarm?.();
    const times = works.map(({ nextDueAt }) => nextDueAt ?? Number.POSITIVE_INFINITY).filter((at) => at > now);
    const at = Math.min(...times);
    this.#cancelAlarm = Number.isFinite(at) ? this.#parts.host.clock.after(at - now, () => this.#wake()) : null;
  }

  #wake(): void {
    this.#cancelAlarm = null;
    this.#parts.commits.request();
  }
}

function messageOf({ record }: Entry): Message {
  return decodeRecord(record);
}
