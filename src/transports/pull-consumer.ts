import type { Cancel, Host } from "../domain/clock.ts";
import type { Address } from "../domain/message.ts";
import { harmless } from "./consume-options.ts";
import { Deque } from "./deque.ts";
import { freshShare, leaseEnd } from "./lease-end.ts";
import { PullDelivery } from "./pull-delivery.ts";
import type { PullLink, Taken } from "./pull-link.ts";
import { acknowledge, giveBack, lastWordsMs, type OnwardVerdict, type Settlement, sendOnward } from "./settle.ts";
import { TakeLoop } from "./take-loop.ts";
import type { ConsumeOptions, Handle } from "./transport.ts";

export interface PullConsumerParts<Receipt> {
  readonly link: PullLink<Receipt>;
  readonly host: Host;
  readonly pollMs: number;
  /** Whether it takes messages before it has a handler free for them. */
  readonly takesAhead: boolean;
  readonly from: Address;
  readonly handle: Handle;
  readonly options: ConsumeOptions;
}

/** How often the buffer is looked through for what has waited too long, as a share of the lease. */
const sweepShare = 1 / 4;
/** The most that is asked for at once, as a share of `prefetch`: the rest is fetched while this is handled. */
const askShare = 1 / 2;
/**
 * Handlers that never wait for anything would keep everybody else waiting for as long as the buffer lasts: timers,
 * sockets, our own acknowledgements and the next question to the broker. So handing over pauses for a turn.
 */
const longestTurnMs = 5;
/** Looking at the clock for each message would cost more than it is worth. */
const handOversPerLook = 50;

/**
 * One `consume` of a broker that is asked for messages: takes them ahead, hands them over, settles them.
 *
 * Everything that happens ends in `#pump`, which starts what may be started and asks for what there is room for.
 */
export class PullConsumer<Receipt> {
  readonly #parts: PullConsumerParts<Receipt>;
  readonly #settlement: Settlement<Receipt>;
  readonly #loop: TakeLoop<Receipt>;
  /** Taken, and not yet handed over. */
  readonly #buffer = new Deque<PullDelivery<Receipt>>();
  /** Handled, to be acknowledged with the next batch. */
  #finished: PullDelivery<Receipt>[] = [];
  #acknowledging = false;
  /** Calls of `handle` under way. */
  #running = 0;
  /** Taken, and neither settled, given back nor let go. */
  #unsettled = 0;
  #stopping = false;
  #failure: { readonly error: unknown } | null = null;
  #listeners: Cancel[] = [];
  #cancelSweep: Cancel | null = null;
  #cancelEnd: Cancel | null = null;
  /** Set while handing over pauses. */
  #cancelRest: Cancel | null = null;
  #turnBeganAt = 0;
  #handOversLeft = handOversPerLook;
  #over: (() => void) | null = null;

  constructor(parts: PullConsumerParts<Receipt>) {
    this.#parts = parts;
    const { link, host, pollMs, from, options } = parts;
    const { leaseMs, returnDelayMs } = options;
    const report = harmless(options.report);
    this.#settlement = { link, host, leaseMs, returnDelayMs, report, stoppedAt: Number.POSITIVE_INFINITY };
    this.#loop = new TakeLoop({
      link,
      host,
      pollMs,
      from,
      options,
      report,
      received: (taken, askedAt) => this.#receive(taken, askedAt),
      listening: () => options.listening?.(),
      free: () => this.#pump(),
      failed: (error) => this.#fail(error),
    });
  }

  /** Resolves when it was stopped and everything under way has settled. */
  async run(): Promise<void> {
    const { signal, gate } = this.#parts.options;
    const stop = () => this.stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#listeners.push(() => signal.removeEventListener("abort", stop));
    if (gate) this.#listeners.push(gate.onChange(() => this.#pump()));
    this.#loop.start();
    await new Promise<void>((resolve) => {
      this.#over = resolve;
      if (signal.aborted) this.stop();
      else this.#pump();
    });
    if (this.#failure !== null) throw this.#failure.error;
  }

  stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#settlement.stoppedAt = this.#parts.host.clock.now();
    this.#loop.stop();
    for (const cancel of this.#listeners.splice(0)) cancel();
    this.#pump();
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.stop();
  }

  #pump(): void {
    this.#giveBackExcess();
    this.#startBuffered();
    if (this.#buffer.length > 0) this.#sweepLater();
    const room = this.#room();
    if (room > 0) this.#loop.ask(Math.min(room, Math.ceil(this.#parts.options.prefetch * askShare)));
    if (this.#stopping && this.#running === 0) this.#endSoon();
  }

  /** Everything is decided. A broker that does not answer is not waited for without end: what it keeps comes again. */
  #endSoon(): void {
    if (this.#unsettled === 0 && !this.#loop.asking) this.#end();
    else if (this.#over !== null) this.#cancelEnd ??= this.#parts.host.clock.after(lastWordsMs, () => this.#end());
  }

  #end(): void {
    this.#cancelSweep?.();
    this.#cancelEnd?.();
    this.#cancelRest?.();
    this.#over?.();
    this.#over = null;
  }

  /** How many handlers may run now. */
  #limit(): number {
    if (this.#stopping) return 0;
    const { concurrency, gate } = this.#parts.options;
    return gate === undefined ? concurrency : Math.min(concurrency, gate.limit);
  }

  /** How many messages we may have in hand. A narrowed gate takes nothing ahead: it would only sit here. */
  #capacity(): number {
    const limit = this.#limit();
    const { takesAhead, options } = this.#parts;
    return takesAhead && limit >= options.concurrency ? options.prefetch : limit;
  }

  /** How many to ask for. While there is something to go on with, asking waits until it is worth a round trip. */
  #room(): number {
    const room = this.#capacity() - this.#unsettled;
    return this.#buffer.length === 0 || room > this.#parts.options.prefetch / 4 ? room : 0;
  }

  #receive(taken: readonly Taken<Receipt>[], askedAt: number): void {
    const { from, host, options } = this.#parts;
    const leaseUntil = leaseEnd({ askedAt, now: host.clock.now() }, options.leaseMs);
    for (const one of taken) this.#buffer.push(new PullDelivery(one, from, leaseUntil, this.#settlement));
    this.#unsettled += taken.length;
    this.#beginTurn();
  }

  #beginTurn(): void {
    this.#turnBeganAt = this.#parts.host.clock.now();
    this.#handOversLeft = handOversPerLook;
  }

  /** Whether others have to be let in first. */
  #mustRest(): boolean {
    if (this.#cancelRest !== null) return true;
    if (this.#handOversLeft > 0) return false;
    this.#handOversLeft = handOversPerLook;
    const { clock } = this.#parts.host;
    if (clock.now() - this.#turnBeganAt < longestTurnMs) return false;
    this.#cancelRest = clock.after(0, () => {
      this.#cancelRest = null;
      this.#beginTurn();
      this.#pump();
    });
    return true;
  }

  #startBuffered(): void {
    if (this.#buffer.length === 0 || this.#running >= this.#limit()) return;
    const { host, options } = this.#parts;
    const freshUntil = host.clock.now() + options.leaseMs * freshShare;
    const stale: PullDelivery<Receipt>[] = [];
    while (this.#running < this.#limit() && !this.#mustRest()) {
      const delivery = this.#buffer.shift();
      if (delivery === undefined) break;
      this.#handOversLeft -= 1;
      if (delivery.leaseUntil < freshUntil) stale.push(delivery);
      else void this.#handOver(delivery);
    }
    if (stale.length > 0) void this.#giveBack(stale);
  }

  async #handOver(delivery: PullDelivery<Receipt>): Promise<void> {
    this.#running += 1;
    try {
      const verdict = await this.#parts.handle(delivery);
      if (delivery.resent) this.#settled(1);
      else if (verdict.kind === "done") this.#finish(delivery);
      else void this.#settle(delivery, verdict);
    } catch (error) {
      this.#letGo(delivery, error);
    }
    this.#running -= 1;
    this.#pump();
  }

  /** Nobody decided, so nothing is acknowledged: the message comes again when its lease lapses. */
  #letGo(delivery: PullDelivery<Receipt>, error: unknown): void {
    void delivery.end();
    this.#unsettled -= 1;
    this.#settlement.report({ kind: "settle-failed", error, message: delivery.message });
  }

  async #settle(delivery: PullDelivery<Receipt>, verdict: OnwardVerdict): Promise<void> {
    // An extension still on its way could undo the delay of a retry.
    await delivery.end();
    await sendOnward(this.#settlement, delivery, verdict);
    this.#settled(1);
  }

  #finish(delivery: PullDelivery<Receipt>): void {
    void delivery.end();
    this.#finished.push(delivery);
    if (!this.#acknowledging) void this.#acknowledgeFinished();
  }

  /** One question at a time, with everything that has finished since the last: nothing waits for what is unfinished. */
  async #acknowledgeFinished(): Promise<void> {
    this.#acknowledging = true;
    // Handlers that finish together are acknowledged together, the first of them too.
    await Promise.resolve();
    while (this.#finished.length > 0) {
      const batch = this.#finished;
      this.#finished = [];
      await acknowledge(this.#settlement, batch);
      this.#settled(batch.length);
    }
    this.#acknowledging = false;
  }

  #settled(count: number): void {
    this.#unsettled -= count;
    // The next message of a key is free only now, and not every broker says so.
    if (this.#parts.options.order === "key") this.#loop.wake();
    this.#pump();
  }

  #giveBackExcess(): void {
    const keep = Math.max(0, this.#capacity() - this.#running);
    if (this.#buffer.length <= keep) return;
    const excess: PullDelivery<Receipt>[] = [];
    while (this.#buffer.length > keep) excess.push(this.#buffer.pop() as PullDelivery<Receipt>);
    void this.#giveBack(excess.reverse());
  }

  async #giveBack(deliveries: readonly PullDelivery<Receipt>[]): Promise<void> {
    await giveBack(this.#settlement, deliveries);
    this.#settled(deliveries.length);
  }

  /** What waits here for long goes back: its lease must not lapse unseen, and another consumer may be free for it. */
  #sweepLater(): void {
    if (this.#cancelSweep !== null) return;
    const { host, options } = this.#parts;
    this.#cancelSweep = host.clock.after(options.leaseMs * sweepShare, () => {
      this.#cancelSweep = null;
      this.#sweep(host.clock.now() + options.leaseMs * (freshShare + sweepShare));
    });
  }

  #sweep(freshUntil: number): void {
    const stale: PullDelivery<Receipt>[] = [];
    for (let first = this.#buffer.first; first !== undefined; first = this.#buffer.first) {
      if (first.leaseUntil > freshUntil) break;
      this.#buffer.shift();
      stale.push(first);
    }
    if (stale.length > 0) void this.#giveBack(stale);
    this.#pump();
  }
}
