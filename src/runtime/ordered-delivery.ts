import { OfficeError } from "../domain/errors.ts";
import type { Address, Delivery, Header, Message } from "../domain/message.ts";
import type { BlockedKeys, Lane } from "../stores/blocked-keys.ts";
import { readAttemptLog } from "./attempt-log.ts";

export interface OrderedParts {
  readonly delivery: Delivery;
  /** As it came, with what was charged in the store. */
  readonly message: Message;
  readonly lane: Lane;
  readonly store: BlockedKeys;
  readonly mark: Uint8Array;
  /** What no other message has; null where there is nothing, or it came with a number. */
  readonly copy: Uint8Array | null;
  readonly turn: string;
  /** Its number in the lane, if it has one. */
  readonly number: number | null;
  /** Its message carries that number. */
  readonly carriesNumber: boolean;
  /** It was dead, and somebody put it back. */
  readonly revived: boolean;
  readonly leaseMs: number;
}

/**
 * A delivery whose attempt is charged in the store of blocked keys: sent again with other headers, as some brokers do it, it
 * would land behind its followers.
 */
export class OrderedDelivery implements Delivery {
  readonly message: Message;
  readonly source: Address;
  readonly position: string | null;
  readonly sendId: string | null;
  readonly redelivered: boolean;
  readonly deliveryCount: number | null;
  readonly lane: Lane;
  readonly mark: Uint8Array;
  readonly copy: Uint8Array | null;
  readonly turn: string;
  readonly carriesNumber: boolean;
  readonly revived: boolean;
  number: number | null;
  /** Its number was done with before it could be charged, and it is nothing but a copy. */
  isCopy = false;
  /** As the broker has it. */
  readonly original: Message;
  readonly #delivery: Delivery;
  readonly #store: BlockedKeys;
  readonly #leaseMs: number;

  constructor({
    delivery,
    message,
    lane,
    store,
    mark,
    copy,
    turn,
    number,
    carriesNumber,
    revived,
    leaseMs,
  }: OrderedParts) {
    this.message = message;
    this.original = delivery.message;
    this.source = delivery.source;
    this.position = delivery.position;
    this.sendId = delivery.sendId ?? null;
    this.redelivered = delivery.redelivered;
    this.deliveryCount = delivery.deliveryCount;
    this.lane = lane;
    this.mark = mark;
    this.copy = copy;
    this.turn = turn;
    this.number = number;
    this.carriesNumber = carriesNumber;
    this.revived = revived;
    this.#delivery = delivery;
    this.#store = store;
    this.#leaseMs = leaseMs;
  }

  async charge(headers: readonly Header[]): Promise<"charged"> {
    const { lane, mark, turn, number } = this;
    // The store cannot know whose the message is: charged by somebody who has lost it, it would look like a killer.
    if (!(await this.extend(this.#leaseMs))) throw deliveryLost();
    const charge = JSON.stringify(readAttemptLog(headers, lane.queue));
    if (number === null) this.number = await this.#store.enter(lane, { mark, turn, charge });
    else await this.#chargeNumber(number, charge);
    return "charged";
  }

  async #chargeNumber(number: number, charge: string): Promise<void> {
    const { lane, turn, carriesNumber, revived } = this;
    const answer = await this.#store.charge(lane, number, turn, charge);
    if (answer === "noted") return;
    this.isCopy = answer === "passed" && carriesNumber && !revived;
    throw deliveryLost();
  }

  extend(ms: number): Promise<boolean> {
    return this.#delivery.extend(ms);
  }
}

/** Nothing may be said about the delivery any more. */
export function deliveryLost(): OfficeError {
  return new OfficeError("DELIVERY_LOST", "The message went to another consumer meanwhile.");
}
