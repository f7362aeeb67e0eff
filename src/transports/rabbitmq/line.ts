import type { Channel, ConsumeMessage, Message } from "amqplib";
import type { Clock } from "../../domain/clock.ts";
import { answerWithin } from "../answering-link.ts";
import { Acknowledger, type Words } from "./acknowledger.ts";
import type { RabbitmqDelivery } from "./delivery.ts";
import { acknowledgeRaw } from "./raw-frames.ts";

export interface LineParts {
  readonly channel: Channel;
  readonly queue: string;
  readonly coalesce: boolean;
  readonly answerWithinMs: number;
  readonly clock: Clock;
  readonly receive: (line: Line, message: ConsumeMessage) => void;
  /** Called once, when the channel is gone and everything unsettled comes again; null if we closed it ourselves. */
  readonly ended: (line: Line, lost: { readonly error: unknown } | null) => void;
}

/** A channel that a consumer takes from: subscribed or not, and after it was lost never again. */
export class Line {
  readonly acknowledger: Acknowledger<RabbitmqDelivery>;
  readonly #parts: LineParts;
  #consumerTag: string | null = null;
  #prefetch = 0;
  #error: unknown = undefined;
  #closing = false;
  #over = false;

  constructor(parts: LineParts) {
    this.#parts = parts;
    const { channel } = parts;
    this.acknowledger = new Acknowledger(wordsOn(channel), parts.coalesce);
    channel.on("error", (error) => {
      this.#error = error;
    });
    channel.on("close", () => this.#end());
  }

  /** How many messages it may have unsettled; 0 while it is not subscribed. */
  get prefetch(): number {
    return this.#prefetch;
  }

  async subscribe(prefetch: number): Promise<void> {
    const { channel, queue, receive } = this.#parts;
    const take = (message: ConsumeMessage | null) => {
      if (message !== null) receive(this, message);
      else void this.#cancelled();
    };
    // In one breath: a limit is that of the next subscription, and somebody else may ask for one in between.
    const asking = Promise.all([channel.prefetch(prefetch), channel.consume(queue, take)]);
    const [, { consumerTag }] = await this.#answer(asking);
    this.#consumerTag = consumerTag;
    if (!this.#over) this.#prefetch = prefetch;
  }

  /** Nothing comes any more once this resolves; what was taken stays ours. */
  async unsubscribe(): Promise<void> {
    const { channel } = this.#parts;
    const tag = this.#consumerTag;
    this.#consumerTag = null;
    if (tag !== null) await this.#answer(channel.cancel(tag));
    this.#prefetch = 0;
  }

  /** Says what is still to be said, and ends. */
  async close(): Promise<void> {
    this.acknowledger.flush();
    this.#closing = true;
    try {
      await this.#answer(this.#parts.channel.close());
    } catch {
      // It was closed already, or goes with its connection: either way the broker gives out again what is unsettled.
    }
    this.#end();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#prefetch = 0;
    this.acknowledger.lose();
    this.#parts.ended(this, this.#closing && this.#error === undefined ? null : { error: this.#error });
  }

  /** The broker has ended the subscription: the queue was deleted, or moved. Everything begins anew. */
  #cancelled(): Promise<void> {
    this.#error = new Error(`RabbitMQ ended the subscription to ${this.#parts.queue}: the queue was deleted or moved.`);
    return this.close();
  }

  #answer<Answer>(asking: Promise<Answer>): Promise<Answer> {
    return answerWithin(asking, this.#parts.clock, this.#parts.answerWithinMs);
  }
}

function wordsOn(channel: Channel): Words {
  return {
    acknowledge: (acknowledgements) => acknowledgeRaw(channel, acknowledgements),
    // amqplib wants the whole message, and reads nothing but its number.
    requeue: (deliveryTag) => channel.nack({ fields: { deliveryTag } } as Message, false, true),
    // A limit is that of the next subscription, and each sets its own.
    ask: () => channel.prefetch(1),
  };
}
