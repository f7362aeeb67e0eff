import { OfficeError } from "../../domain/errors.ts";
import type { Address, Delivery, Header, Message } from "../../domain/message.ts";
import type { InLane, Lane } from "../lanes.ts";
import type { Acknowledger, Unsettled } from "./acknowledger.ts";
import type { Received } from "./message-codec.ts";
import type { Onward } from "./onward.ts";

export interface DeliveryParts {
  readonly received: Received;
  readonly tag: number;
  readonly redelivered: boolean;
  readonly source: Address;
  readonly acknowledger: Acknowledger<RabbitmqDelivery>;
  readonly onward: Onward;
}

/** One hand-over by RabbitMQ. Made for every message, so it holds no closures. */
export class RabbitmqDelivery implements Delivery, Unsettled<RabbitmqDelivery>, InLane<RabbitmqDelivery> {
  readonly message: Message;
  readonly source: Address;
  /** RabbitMQ has no name for where a message is. */
  readonly position = null;
  readonly sendId: string;
  readonly redelivered: boolean;
  readonly deliveryCount: number | null;
  readonly tag: number;

  state: "open" | "finished" | "settled" = "open";
  before: RabbitmqDelivery | null = null;
  after: RabbitmqDelivery | null = null;

  lane: Lane<RabbitmqDelivery> | null = null;
  ahead: RabbitmqDelivery | null = null;
  behind: RabbitmqDelivery | null = null;

  readonly #acknowledger: Acknowledger<RabbitmqDelivery>;
  readonly #onward: Onward;

  constructor({ received, tag, redelivered, source, acknowledger, onward }: DeliveryParts) {
    this.message = received.message;
    this.source = source;
    this.sendId = received.sendId ?? onward.adopt();
    this.redelivered = redelivered;
    this.deliveryCount = deliveryCount(received.earlier, redelivered);
    this.tag = tag;
    this.#acknowledger = acknowledger;
    this.#onward = onward;
  }

  /** Whether the broker has heard, or is about to hear, what became of it. */
  get isSettled(): boolean {
    return this.state !== "open";
  }

  /** Whether it went to somebody else because our channel is gone. */
  get isLost(): boolean {
    return !this.isSettled && this.#acknowledger.lost;
  }

  get isOurs(): boolean {
    return !this.isSettled && !this.#acknowledger.lost;
  }

  acknowledge(): void {
    this.#acknowledger.acknowledge(this);
  }

  requeue(): void {
    this.#acknowledger.requeue(this);
  }

  /** A queue cannot change what is in it, so it is sent again at its end. */
  async charge(headers: readonly Header[]): Promise<"resent"> {
    const message = { ...this.message, headers };
    if (await this.#onward.insist(this, () => this.#onward.putBack(this, message, 0))) {
      this.acknowledge();
      // Otherwise a death now could leave the message twice, once as it was.
      await this.#acknowledger.heard();
      return "resent";
    }
    throw new OfficeError("DELIVERY_LOST", "The connection was lost before the attempt was charged.");
  }

  /** There is nothing to extend: it is ours as long as the channel lives. */
  async extend(): Promise<boolean> {
    return this.isOurs;
  }
}

/** Quorum queues count, but do not mention none; other queues only say that it was not the first time. */
function deliveryCount(earlier: number | null, redelivered: boolean): number | null {
  if (earlier !== null) return earlier + 1;
  return redelivered ? null : 1;
}
