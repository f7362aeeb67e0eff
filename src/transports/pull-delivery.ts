import { OfficeError } from "../domain/errors.ts";
import type { Address, Delivery, Header, Message } from "../domain/message.ts";
import type { Taken } from "./pull-link.ts";
import { type InHand, insist, type Settlement } from "./settle.ts";

/** One hand-over by a broker that is asked. Made for every message, so it holds no closures and sets no timers. */
export class PullDelivery<Receipt> implements Delivery, InHand<Receipt> {
  readonly message: Message;
  readonly source: Address;
  readonly position: string | null;
  readonly redelivered: boolean;
  readonly deliveryCount: number | null;
  readonly unreadable: Error | undefined;
  readonly receipt: Receipt;
  /** When its lease lapses by our own clock, unless it is extended. */
  leaseUntil: number;
  /** The message as the broker now has it: what was charged is in it. */
  current: Message;
  /** It was sent again with the attempt it is charged with: this hand-over is over, whatever is decided of it. */
  resent = false;
  readonly #settlement: Settlement<Receipt>;
  #asked: Promise<unknown> | null = null;
  #over = false;

  constructor(taken: Taken<Receipt>, source: Address, leaseUntil: number, settlement: Settlement<Receipt>) {
    this.message = taken.message;
    this.source = source;
    this.position = taken.position;
    this.redelivered = taken.redelivered;
    this.deliveryCount = taken.deliveryCount;
    this.unreadable = taken.unreadable;
    this.receipt = taken.receipt;
    this.leaseUntil = leaseUntil;
    this.current = taken.message;
    this.#settlement = settlement;
  }

  async charge(headers: readonly Header[]): Promise<"charged" | "resent"> {
    if (this.#over || !(await this.#track(this.#insistOnCharging(headers)))) {
      throw new OfficeError("DELIVERY_LOST", "The message went to another consumer before its attempt was charged.");
    }
    this.current = { ...this.message, headers };
    return this.resent ? "resent" : "charged";
  }

  async extend(ms: number): Promise<boolean> {
    const { clock } = this.#settlement.host;
    if (!(await this.#askToExtend(ms))) return false;
    if (clock.now() < this.leaseUntil) return true;
    // A process that stood still hears only now of an extension that is over: somebody else may have the message.
    return (await this.#askToExtend(ms)) && clock.now() < this.leaseUntil;
  }

  /** Nothing more is asked for it. What it returns settles once all that was asked is answered. */
  end(): Promise<unknown> | null {
    this.#over = true;
    return this.#asked;
  }

  async #askToExtend(ms: number): Promise<boolean> {
    if (this.#over) return false;
    const { link, host } = this.#settlement;
    const askedAt = host.clock.now();
    const extended = await this.#track(link.extend(this.receipt, ms));
    if (extended) this.leaseUntil = askedAt + ms;
    return extended;
  }

  #insistOnCharging(headers: readonly Header[]): Promise<boolean> {
    return insist(this.#settlement, [this], async () => {
      const outcome = await this.#settlement.link.charge(this.receipt, headers);
      this.resent = outcome === "resent";
      return outcome !== false;
    });
  }

  #track<Answer>(asking: Promise<Answer>): Promise<Answer> {
    this.#asked = Promise.allSettled([this.#asked, asking]);
    return asking;
  }
}
