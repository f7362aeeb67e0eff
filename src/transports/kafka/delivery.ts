import { OfficeError } from "../../domain/errors.ts";
import type { Address, Delivery, Header, Message } from "../../domain/message.ts";
import type { Entry } from "./partition-work.ts";
import { decodeRecord } from "./record-codec.ts";

/** Sends a message in the entry's place, for good. */
export type Resend = (entry: Entry, message: Message) => Promise<void>;

/** One hand-over of a record. Made for every message, so it holds no closures. */
export class KafkaDelivery implements Delivery {
  readonly message: Message;
  readonly source: Address;
  readonly redelivered: boolean;
  /** Kafka does not count. */
  readonly deliveryCount = null;
  readonly #entry: Entry;
  readonly #resend: Resend;

  constructor(entry: Entry, source: Address, resend: Resend) {
    this.message = decodeRecord(entry.record);
    this.source = source;
    this.redelivered = entry.isSuspect;
    this.#entry = entry;
    this.#resend = resend;
  }

  get position(): string {
    return this.#entry.id;
  }

  /** A log cannot be changed in place. */
  async charge(headers: readonly Header[]): Promise<"resent"> {
    if (!this.#isOurs()) throw lost();
    try {
      await this.#resend(this.#entry, { ...this.message, headers });
    } catch (error) {
      throw lost(error);
    }
    return "resent";
  }

  /** A partition is ours until it is taken away: there is nothing to extend. */
  async extend(): Promise<boolean> {
    return this.#isOurs();
  }

  #isOurs(): boolean {
    return this.#entry.state === "running";
  }
}

function lost(cause?: unknown): OfficeError {
  return new OfficeError("DELIVERY_LOST", "The message could not be charged while it was this consumer's.", { cause });
}
