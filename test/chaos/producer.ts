import { pause } from "../../src/domain/clock.ts";
import type { Address } from "../../src/domain/message.ts";
import { systemClock } from "../../src/system/host.ts";
import type { Transport } from "../../src/transports/transport.ts";
import type { Dice } from "../simulation/dice.ts";
import { drawOrder, type Order, toMessage } from "./order.ts";

export interface ProducerParts {
  readonly transport: Transport;
  readonly queue: Address;
  readonly dice: Dice;
}

/** Orders sent at once, and how long it waits after them, in milliseconds. */
const together = 15;
const everyMs = 100;
/** More than this many unfinished would only make the end long. */
const mostOpen = 250;
const resendMs = 50;

/** Sends orders until it is stopped, and knows which of them the broker has accepted. */
export class Producer {
  /** All that the broker may have, since it was asked to take it. */
  readonly sent = new Map<string, Order>();
  /** Ids of those it has said that it has. */
  readonly accepted = new Set<string>();
  readonly #parts: ProducerParts;
  readonly #finished = new Set<string>();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #abandoned = false;

  constructor(parts: ProducerParts) {
    this.#parts = parts;
  }

  /** Orders accepted and not finished, as far as is known. */
  get open(): number {
    return this.accepted.size - this.#finished.size;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** A consumer was done with it, one way or another. */
  finish(id: string): void {
    this.#finished.add(id);
  }

  /** Resolves when everything sent is accepted. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#running;
  }

  /** Stops at once, whatever the broker has said by then. */
  abandon(): Promise<void> {
    this.#abandoned = true;
    return this.stop();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (this.open < mostOpen) await Promise.all(this.#nextOrders().map((order) => this.#send(order)));
      await pause(systemClock, everyMs, signal);
    }
  }

  /** Some orders come twice, as when their customer was not sure: under another id and the same key. */
  #nextOrders(): Order[] {
    const { dice } = this.#parts;
    return Array.from({ length: together }, (_, index) => {
      const order = drawOrder(dice, `order-${this.sent.size + index}`);
      const earlier = dice.chance(0.1) ? this.sent.get(`order-${dice.between(0, this.sent.size)}`) : undefined;
      return earlier === undefined ? order : { ...earlier, id: order.id };
    });
  }

  /** Again and again until there is an answer: what the broker had after all, it then has twice. */
  async #send(order: Order): Promise<void> {
    const { transport, queue } = this.#parts;
    this.sent.set(order.id, order);
    while (!this.#abandoned) {
      try {
        await transport.send(queue, toMessage(order));
        this.accepted.add(order.id);
        return;
      } catch {
        await pause(systemClock, resendMs);
      }
    }
  }
}
