import type { Cancel, Host } from "../domain/clock.ts";
import { isFinal } from "../domain/errors.ts";
import type { Address } from "../domain/message.ts";
import type { PullLink, Taken, TakeOptions } from "./pull-link.ts";
import { repeatDelayMs } from "./repeat-delay.ts";
import type { Incident } from "./transport.ts";

export interface TakeLoopParts<Receipt> {
  readonly link: PullLink<Receipt>;
  readonly host: Host;
  readonly pollMs: number;
  readonly from: Address;
  readonly options: Pick<TakeOptions, "leaseMs" | "order">;
  readonly report: (incident: Incident) => void;
  /** Called once, when the broker has answered for the first time. */
  readonly listening: () => void;
  /** `askedAt` is when the leases began, at the earliest. */
  readonly received: (taken: readonly Taken<Receipt>[], askedAt: number) => void;
  /** It may ask again. */
  readonly free: () => void;
  /** It will never work. */
  readonly failed: (error: unknown) => void;
}

/** Asks a broker for messages, one question at a time; waits while there are none, and while the broker is away. */
export class TakeLoop<Receipt> {
  readonly #parts: TakeLoopParts<Receipt>;
  #asking = false;
  #stopped = false;
  /** Something may have come after the broker looked and before it answered. */
  #woken = false;
  #cancelWait: Cancel | null = null;
  #cancelWatch: Cancel | null = null;
  #failedTakes = 0;
  #hasListened = false;
  /** Stopped: nobody wants what is asked for now. */
  readonly #unwanted = new AbortController();

  constructor(parts: TakeLoopParts<Receipt>) {
    this.#parts = parts;
  }

  start(): void {
    this.#watch();
  }

  get asking(): boolean {
    return this.#asking;
  }

  /** Asks for up to `max`, unless it is asking or waiting already. */
  ask(max: number): void {
    if (this.#asking || this.#stopped || this.#cancelWait !== null) return;
    this.#asking = true;
    this.#woken = false;
    void this.#take(max);
  }

  /** There may be something to take. A broker that was lost is not asked any sooner for it. */
  wake(): void {
    this.#woken = true;
    if (this.#cancelWait === null || this.#failedTakes > 0) return;
    this.#endWait();
    this.#parts.free();
  }

  stop(): void {
    this.#stopped = true;
    this.#unwanted.abort();
    this.#endWait();
    this.#cancelWatch?.();
    this.#cancelWatch = null;
  }

  async #take(max: number): Promise<void> {
    const { link, from, options, host, report } = this.#parts;
    const { leaseMs, order } = options;
    const askedAt = host.clock.now();
    try {
      const taken = await link.take(from, max, { leaseMs, order, signal: this.#unwanted.signal, report });
      this.#asking = false;
      this.#answered(taken, askedAt);
    } catch (error) {
      this.#asking = false;
      this.#unanswered(error);
    }
    this.#parts.free();
  }

  #answered(taken: readonly Taken<Receipt>[], askedAt: number): void {
    if (this.#failedTakes > 0) this.#restored();
    this.#tellListening();
    if (taken.length > 0) this.#parts.received(taken, askedAt);
    else if (!this.#woken) this.#wait(jitter(this.#parts.pollMs, this.#parts.host.random()));
  }

  #tellListening(): void {
    if (this.#hasListened) return;
    this.#hasListened = true;
    this.#parts.listening();
  }

  #unanswered(error: unknown): void {
    const { host, report, failed } = this.#parts;
    if (isFinal(error)) {
      failed(error);
      return;
    }
    this.#failedTakes += 1;
    const retryInMs = repeatDelayMs(this.#failedTakes, host.random);
    if (this.#failedTakes === 1) report({ kind: "connection-lost", error, retryInMs });
    this.#wait(retryInMs);
  }

  #restored(): void {
    this.#failedTakes = 0;
    this.#parts.report({ kind: "connection-restored" });
    this.#watch();
  }

  #wait(delayMs: number): void {
    if (this.#stopped) return;
    this.#cancelWait = this.#parts.host.clock.after(delayMs, () => {
      this.#cancelWait = null;
      this.#parts.free();
    });
  }

  #endWait(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
  }

  #watch(): void {
    const { link, from } = this.#parts;
    if (link.watch === undefined || this.#cancelWatch !== null) return;
    link
      .watch(from, () => this.wake())
      .then(
        (cancel) => {
          if (this.#stopped || this.#cancelWatch !== null) cancel();
          else this.#cancelWatch = cancel;
        },
        // It only hastens; asking now and then suffices.
        () => {},
      );
  }
}

/** A tenth more or less, lest consumers started together ask together for ever. */
function jitter(delayMs: number, chance: number): number {
  return Math.round(delayMs * (0.9 + chance / 5));
}
