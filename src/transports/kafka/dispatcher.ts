import type { Cancel, Host } from "../../domain/clock.ts";
import type { Address, Message } from "../../domain/message.ts";
import { nextTurn } from "../../system/turn.ts";
import type { BrokerTime } from "../broker-time.ts";
import { Deque } from "../deque.ts";
import type { ConsumeOptions, Handle, Incident } from "../transport.ts";
import { KafkaDelivery } from "./delivery.ts";
import { Onward, type OnwardVerdict, type Sent } from "./onward.ts";
import type { Entry, PartitionWork } from "./partition-work.ts";
import { decodeRecord, restOf } from "./record-codec.ts";
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
  /** A message is no longer in hand. */
  readonly released: () => void;
}

/** So many of one partition are taken in a row before it is another's turn. */
const turnLength = 32;

/** Takes messages of all partitions into hand, hands them over, and carries out what is decided. */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #onward: Onward;
  /** In hand, which the broker is to be told before they are handed over. */
  #taken: Entry[] = [];
  /** The broker knows, and they wait for a handler that is free. */
  readonly #ready = new Deque<Entry>();
  readonly #timers = new Set<Cancel>();
  /** Taken, ready, running or being settled. */
  #inHand = 0;
  #running = 0;
  #turn = 0;
  #isStarting = false;
  /** When it was told to stop, by our own clock. */
  #stoppedAt = Number.POSITIVE_INFINITY;
  #cancelAlarm: Cancel | null = null;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    const { host, from, sender, report, options } = parts;
    const stoppedAt = () => this.#stoppedAt;
    this.#onward = new Onward({
      ...{ host, from, sender, report, stoppedAt },
      returnDelayMs: options.returnDelayMs,
    });
  }

  /** Nothing is in hand, and no call of `handle` is under way. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#inHand === 0;
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
    this.release(() => true);
  }

  /**
   * Takes what there is room for; it is handed over after the next commit, which calls it in hand. One half at a time, so
   * that the broker is told of the next while these are handled. True if there may be more.
   */
  prepare(): boolean {
    const { works: ours, time, options } = this.#parts;
    const now = time.now();
    const works = ours();
    const half = Math.ceil(options.prefetch / 2);
    for (let idle = 0; idle < works.length && this.#room() > 0 && this.#taken.length < half; this.#turn++) {
      const work = works[this.#turn % works.length] as PartitionWork;
      idle = this.#takeFrom(work, now) ? 0 : idle + 1;
    }
    this.#setAlarm(works, now);
    return this.#taken.length >= half;
  }

  /** The broker knows what was taken. It is handed over in the next turn: before that, the broker is told of the next. */
  confirm(): void {
    for (const entry of this.#taken) if (entry.state === "taken") this.#ready.push(entry);
    this.#taken = [];
    this.#giveBack(this.#excess());
    if (this.#isStarting) return;
    this.#isStarting = true;
    void nextTurn().then(() => {
      this.#isStarting = false;
      this.#startReady();
    });
  }

  /** Gives back what no handler has seen of these partitions. */
  release(isOf: (work: PartitionWork) => boolean): void {
    const [ready, taken] = [this.#ready.drain(), this.#taken];
    for (const entry of ready) if (!isOf(entry.work)) this.#ready.push(entry);
    this.#taken = taken.filter(({ work }) => !isOf(work));
    this.#giveBack([...ready, ...taken].filter(({ work, state }) => isOf(work) && state === "taken"));
    this.#parts.commits.request();
  }

  /** These partitions are no longer ours: whatever is decided about their messages changes nothing. */
  abandon(works: readonly PartitionWork[], error?: unknown): void {
    for (const { progress } of works) {
      for (let entry = progress.first; entry !== null; entry = entry.after) {
        if (entry.state === "running") this.#reportLost(entry, error);
        if (entry.state === "running" || entry.state === "taken") this.#letGo(entry, "over");
      }
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

  /** How many more may be in hand. A narrowed gate takes nothing ahead: it would only sit here. */
  #room(): number {
    const { concurrency, prefetch } = this.#parts.options;
    const limit = this.#limit();
    return (limit < concurrency ? limit : prefetch) - this.#inHand;
  }

  #takeFrom(work: PartitionWork, now: number): boolean {
    const most = Math.min(turnLength, this.#room());
    let count = 0;
    for (; count < most; count++) {
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
      if (!entry.progress.fits(entry)) return undefined;
      work.shift();
      const rest = entry.isRetry ? restOf(entry.record) : undefined;
      if (rest !== undefined) void this.#delayOn(entry, rest);
      else if (work.take(entry)) return entry;
    }
    return undefined;
  }

  /**
   * Charged messages come by the topic without a wait. One at a time, and only when its handler can run: when the process
   * dies, one that was merely in hand would be taken for what killed it.
   */
  #mayTakeCharged(): boolean {
    if (this.#running + this.#ready.length + this.#taken.length >= this.#limit()) return false;
    return this.#parts.works().every(({ waitMs, inHand }) => waitMs !== 0 || inHand === 0);
  }

  #hold(entry: Entry): void {
    this.#inHand += 1;
    entry.work.inHand += 1;
    entry.progress.take(entry);
  }

  /** It is no longer in hand. */
  #letGo(entry: Entry, state: "waiting" | "over"): void {
    entry.state = state;
    this.#inHand -= 1;
    entry.work.inHand -= 1;
    this.#parts.released();
  }

  #excess(): Entry[] {
    const excess: Entry[] = [];
    for (let room = this.#room(); room < 0 && this.#ready.length > 0; room++) excess.push(this.#ready.pop() as Entry);
    return excess.reverse().filter(({ state }) => state === "taken");
  }

  #giveBack(entries: readonly Entry[]): void {
    for (const entry of entries.toReversed()) {
      this.#letGo(entry, "waiting");
      this.#putBack(entry);
    }
  }

  #putBack(entry: Entry): void {
    entry.work.keys?.putBack(entry);
    entry.work.enqueue(entry, "first");
  }

  #startReady(): void {
    const limit = this.#limit();
    while (this.#running < limit) {
      const entry = this.#ready.shift();
      if (entry === undefined) return;
      if (entry.state === "taken") void this.#handOver(entry);
    }
  }

  async #handOver(entry: Entry): Promise<void> {
    const { handle, from, options, report, released } = this.#parts;
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
    released();
  }

  /** Whatever is said of a message that is over, charged and resent or lost, is not heard. */
  async #carryOut(entry: Entry, verdict: OnwardVerdict): Promise<void> {
    if (entry.state === "running") this.#settle(entry, await this.#onward.carryOut(entry, verdict));
  }

  async #delayOn(entry: Entry, rest: { readonly restMs: number; readonly slackMs: number }): Promise<void> {
    entry.state = "running";
    this.#hold(entry);
    this.#settle(entry, await this.#onward.delayOn(entry, rest));
  }

  #settle(entry: Entry, sent: Sent): void {
    if (entry.state !== "running") return;
    if (sent === "sent") this.#finish(entry);
    else if (sent === "return") this.#returnLater(entry, this.#parts.options.returnDelayMs, false);
    else {
      this.#reportLost(entry);
      this.#letGo(entry, "over");
    }
  }

  readonly #resend = async (entry: Entry, message: Message): Promise<void> => {
    await this.#onward.delay(entry, message, 0);
    this.#finish(entry);
    // Until that is committed, a crash would bring back the message as it was before.
    await this.#parts.commits.flush();
  };

  #finish(entry: Entry): void {
    if (entry.state !== "running") return;
    this.#letGo(entry, "over");
    entry.progress.finish(entry);
    entry.work.keys?.leave(entry);
    this.#parts.commits.request();
  }

  /** It is handed over again after a while, and blocks its key until then. */
  #returnLater(entry: Entry, delayMs: number, isSuspect: boolean): void {
    if (entry.state !== "running") return;
    entry.isSuspect = isSuspect;
    this.#letGo(entry, "waiting");
    this.#parts.commits.request();
    if (this.#isStopping) return;
    const cancel = this.#parts.host.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      this.#putBack(entry);
      this.#parts.commits.request();
    });
    this.#timers.add(cancel);
  }

  #reportLost(entry: Entry, error?: unknown): void {
    this.#parts.report({ kind: "delivery-lost", message: messageOf(entry), error });
  }

  /** What waits for its time is looked at again when that has come. */
  #setAlarm(works: readonly PartitionWork[], now: number): void {
    this.#cancelAlarm?.();
    this.#cancelAlarm = null;
    let at = Number.POSITIVE_INFINITY;
    for (const { waitMs, nextDueAt } of works) {
      if (waitMs && nextDueAt !== undefined && nextDueAt > now) at = Math.min(at, nextDueAt);
    }
    if (at < Number.POSITIVE_INFINITY) {
      this.#cancelAlarm = this.#parts.host.clock.after(at - now, () => this.#parts.commits.request());
    }
  }
}

function messageOf({ record }: Entry): Message {
  return decodeRecord(record);
}
