import type { Cancel, Host } from "../domain/clock.ts";
import type { Message } from "../domain/message.ts";
import type { Transport } from "../transports/transport.ts";
import { type Order, orderMessage } from "./order.ts";

export interface CheckoutOptions {
  readonly transport: Pick<Transport, "send">;
  readonly queue: string;
  readonly host: Pick<Host, "clock" | "random">;
  /** Orders a second, on average. */
  readonly perSecond: number;
}

/** One message that was sent. */
export interface Sending {
  readonly id: string;
  readonly order: number;
}

const firstOrder = 1_001;

/** The producer: sends orders at a steady pace, and odd ones when the script asks for them. */
export class Checkout {
  readonly #options: CheckoutOptions;
  readonly #sent: Sending[] = [];
  readonly #payloads = new Map<number, Partial<Order>>();
  #nextOrder = firstOrder;
  #sentAt = Number.NEGATIVE_INFINITY;
  #cancel: Cancel | undefined = undefined;

  constructor(options: CheckoutOptions) {
    this.#options = options;
  }

  /** Everything that was ever sent, in order. */
  get sent(): readonly Sending[] {
    return this.#sent;
  }

  /** Orders a second; 0 while it is closed. */
  get perSecond(): number {
    return this.#cancel === undefined ? 0 : this.#options.perSecond;
  }

  /** When it last sent something, in milliseconds since 1970. */
  get sentAt(): number {
    return this.#sentAt;
  }

  open(): void {
    const { host, perSecond } = this.#options;
    // Around the mean, so that arrivals do not march in step.
    const waitMs = Math.round((1_000 / perSecond) * (0.5 + host.random()));
    this.#cancel = host.clock.after(waitMs, () => {
      this.place();
      this.open();
    });
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Sends a new order, odd in the fields given; an explicit `undefined` leaves a field out. Gives its number. */
  place(odd: { readonly [Field in keyof Order]?: Order[Field] | undefined } = {}): number {
    const order = this.#nextOrder++;
    const cents = 500 + Math.floor(this.#options.host.random() * 20_000);
    // JSON leaves out what is undefined, which is the whole point of it here.
    const payload = { order, cents, parcels: 1, card: "valid", ...odd } as Partial<Order>;
    this.#payloads.set(order, payload);
    this.#send(order, payload);
    return order;
  }

  /** Sends an order once more, as a client does that saw no answer. */
  placeAgain(order: number): void {
    const payload = this.#payloads.get(order);
    if (payload !== undefined) this.#send(order, payload);
  }

  #send(order: number, payload: Partial<Order>): void {
    const { transport, queue, host } = this.#options;
    const id = `sending-${this.#sent.length + 1}`;
    this.#sent.push({ id, order });
    this.#sentAt = host.clock.now();
    const message: Message = orderMessage(order, payload, id);
    void transport.send({ name: queue }, message);
  }
}
