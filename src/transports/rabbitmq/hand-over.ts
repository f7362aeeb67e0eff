import { type Clock, pause } from "../../domain/clock.ts";
import type { Verdict } from "../../domain/message.ts";
import { Deque } from "../deque.ts";
import { Lanes } from "../lanes.ts";
import type { Handle, Incident } from "../transport.ts";
import type { RabbitmqDelivery } from "./delivery.ts";
import type { Onward, OnwardVerdict } from "./onward.ts";

export interface HandOverParts {
  readonly handle: Handle;
  readonly onward: Onward;
  /** Messages of a key one after the other. */
  readonly ordered: boolean;
  /** How many handlers may run now. */
  readonly limit: () => number;
  /** How long a message waits that nobody decided on, in milliseconds. */
  readonly returnDelayMs: number;
  /** Aborts when nobody waits for anything any more that need not be. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly report: (incident: Incident) => void;
  /** Something is no longer in hand. */
  readonly settled: () => void;
  /** Something has to come again, before everything of its key that came after it. */
  readonly comeAgain: () => void;
}

/** Hands over what was received, and sees each delivery to its end. */
export class HandOver {
  readonly #parts: HandOverParts;
  readonly #buffer = new Deque<RabbitmqDelivery>();
  #lanes = new Lanes<RabbitmqDelivery>();
  #running = 0;
  #settling = 0;

  constructor(parts: HandOverParts) {
    this.#parts = parts;
  }

  /** Deliveries that a handler has, or that are being settled or given back. */
  get busy(): number {
    return this.#running + this.#settling;
  }

  receive(delivery: RabbitmqDelivery): void {
    if (this.#parts.ordered && !this.#isFirstOfItsKey(delivery)) return;
    this.#buffer.push(delivery);
    this.start();
  }

  /** Starts as many handlers as may run. */
  start(): void {
    while (this.#running < this.#parts.limit()) {
      const delivery = this.#buffer.shift();
      if (delivery === undefined) return;
      void this.#handOver(delivery);
    }
  }

  /** The line is lost: what was not handed over comes again by itself. */
  drop(): void {
    while (this.#buffer.shift() !== undefined);
    this.#lanes = new Lanes();
  }

  /** Gives back what is waiting here, all but `keep`. */
  giveBackBeyond(keep: number): void {
    const excess: RabbitmqDelivery[] = [];
    while (this.#buffer.length > Math.max(0, keep)) excess.push(this.#buffer.pop() as RabbitmqDelivery);
    for (const delivery of excess.reverse()) void this.#settle(delivery, () => this.#parts.onward.giveBack(delivery));
  }

  #isFirstOfItsKey(delivery: RabbitmqDelivery): boolean {
    const { key } = delivery.message;
    if (key === null) return true;
    this.#lanes.join(delivery, key);
    return delivery.lane?.first === delivery;
  }

  async #handOver(delivery: RabbitmqDelivery): Promise<void> {
    let verdict: Verdict | null = null;
    this.#running += 1;
    try {
      verdict = await this.#parts.handle(delivery);
    } catch (error) {
      this.#parts.report({ kind: "settle-failed", error, message: delivery.message });
    }
    this.#running -= 1;
    this.#conclude(delivery, verdict);
    this.start();
  }

  #conclude(delivery: RabbitmqDelivery, verdict: Verdict | null): void {
    if (verdict === null) void this.#settle(delivery, () => this.#letGo(delivery));
    else if (verdict.kind === "done") this.#finish(delivery);
    else void this.#settle(delivery, () => this.#carryOut(delivery, verdict));
  }

  #finish(delivery: RabbitmqDelivery): void {
    if (delivery.isLost) this.#parts.report({ kind: "delivery-lost", message: delivery.message });
    delivery.acknowledge();
    this.#leave(delivery);
  }

  async #settle(delivery: RabbitmqDelivery, settle: () => Promise<void>): Promise<void> {
    this.#settling += 1;
    await settle();
    this.#settling -= 1;
    this.#leave(delivery);
    this.start();
  }

  async #carryOut(delivery: RabbitmqDelivery, verdict: OnwardVerdict): Promise<void> {
    // Charged, it was sent again and this delivery is over.
    if (delivery.isSettled || (await this.#parts.onward.carryOut(delivery, verdict))) return;
    await this.#letGo(delivery);
  }

  /** Nobody decided, so nothing is acknowledged: it comes again, as redelivered, after a while. */
  async #letGo(delivery: RabbitmqDelivery): Promise<void> {
    const { clock, returnDelayMs, stopping, ordered, comeAgain } = this.#parts;
    await pause(clock, delivery.isOurs ? returnDelayMs : 0, stopping);
    if (!delivery.isOurs) return;
    if (ordered) comeAgain();
    else delivery.requeue();
  }

  /** Lets the next of its key go on, unless it has to come again itself. */
  #leave(delivery: RabbitmqDelivery): void {
    const { ordered, settled } = this.#parts;
    const next = ordered && !delivery.isOurs ? this.#lanes.leave(delivery) : null;
    if (next?.isOurs) this.#buffer.push(next);
    settled();
  }
}
