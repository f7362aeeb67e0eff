import { type Host, pause } from "../domain/clock.ts";
import type { Address } from "../domain/message.ts";
import type { BlockedKeys } from "../stores/blocked-keys.ts";
import type { Transport } from "../transports/transport.ts";

export interface SignParts {
  readonly transport: Transport;
  readonly store: BlockedKeys;
  readonly queue: string;
  readonly parked: Address;
  readonly host: Host;
  /** The consumer stops. */
  readonly signal: AbortSignal;
}

/** A message that is on its way is counted on one side only: what is still so after this long, in milliseconds, is so. */
const surelyAfterMs = 1_000;
/** Where something strange lies for good, a release message may make up for another that is gone: looked at after so long at least. */
const strangersEveryMs = 3_600_000;

/**
 * Tells whether release messages may lie among the parked ones, without taking any of those: the store knows how many messages
 * should lie there, and the broker says how many do.
 */
export class ReleaseSigns {
  readonly #parts: SignParts;
  /** How many more lay there than the store knows of, when all were seen last, none of which could be released. */
  #usual = 0;
  #seenAt: number;

  constructor(parts: SignParts) {
    this.#parts = parts;
    this.#seenAt = parts.host.clock.now();
  }

  /** Null where nobody can tell. */
  async areThere(): Promise<boolean | null> {
    const { transport, host, signal } = this.#parts;
    if (transport.depth === undefined) return null;
    if (this.#usual !== 0 && host.clock.now() - this.#seenAt >= strangersEveryMs) return true;
    if (await this.#isAsUsual()) return false;
    await pause(host.clock, surelyAfterMs, signal);
    return !(await this.#isAsUsual());
  }

  /** All that is parked was seen: so many are left of which the store knows nothing, and that ask for nothing. */
  async seenAll(strangers: number): Promise<void> {
    if (this.#parts.transport.depth === undefined) return;
    const { least } = await this.#strangers();
    // Of those that came meanwhile nobody knows what they are.
    this.#usual = Math.min(strangers, least);
    this.#seenAt = this.#parts.host.clock.now();
  }

  async #isAsUsual(): Promise<boolean> {
    const { least, most } = await this.#strangers();
    return least <= this.#usual && this.#usual <= most;
  }

  /** Messages come and go while they are counted: it is a number between these. */
  async #strangers(): Promise<{ readonly least: number; readonly most: number }> {
    const { transport, store, queue, parked } = this.#parts;
    const before = await store.countParked(queue);
    const depth = (await transport.depth?.(parked)) ?? 0;
    const after = await store.countParked(queue);
    return { least: depth - Math.max(before, after), most: depth - Math.min(before, after) };
  }
}
