import type { Host } from "../domain/clock.ts";
import type { Address, Message } from "../domain/message.ts";
import { requireNumber, withDefaults } from "../domain/options.ts";
import { systemHost } from "../system/host.ts";
import { answeringLink } from "./answering-link.ts";
import { requireConsumeOptions } from "./consume-options.ts";
import { PullConsumer } from "./pull-consumer.ts";
import type { PullLink } from "./pull-link.ts";
import type { Capabilities, ConsumeOptions, Handle, SendOptions, Shortcomings, Transport } from "./transport.ts";
import { TransportLife } from "./transport-life.ts";

export interface PullTransportOptions {
  readonly broker: string;
  readonly capabilities: Capabilities;
  /** Why it lacks what it lacks. @default no reasons given */
  readonly shortcomings?: Shortcomings;
  /** How often a broker that has nothing is asked again, in milliseconds, where no hint comes earlier. @default 1_000 */
  readonly pollMs?: number;
  /**
   * How long the broker may take to answer, in milliseconds; after that the answer is unknown. Too short, and a slow
   * broker does everything twice. Null: the link always answers. @default 10_000
   */
  readonly answerWithinMs?: number | null;
  /**
   * How long the broker may wait for messages when it is asked and has none, in milliseconds: `answerWithinMs` counts from
   * then on. A consumer that is stopped meanwhile does not wait for it. @default 0
   */
  readonly takeWaitMs?: number;
  /**
   * Whether a consumer takes up to `prefetch` messages before it has a handler free for them. Not where giving back what no
   * handler saw counts as a hand-over: messages would wear out by waiting. @default true
   */
  readonly takesAhead?: boolean;
  /** See `Transport`. @default false */
  readonly hasSequenceByKey?: boolean;
  /** Clock, dice and ids. @default the host's own */
  readonly host?: Host;
}

type Tuning = Omit<PullTransportOptions, "broker" | "capabilities" | "shortcomings">;

export const pullTransportDefaults = {
  pollMs: 1_000,
  answerWithinMs: 10_000,
  takeWaitMs: 0,
  takesAhead: true,
  hasSequenceByKey: false,
  host: systemHost,
} satisfies Required<Tuning>;

/** A whole transport over a broker that gives messages to whoever asks for them. */
export function pullTransport<Receipt>(link: PullLink<Receipt>, options: PullTransportOptions): Transport {
  return new PullTransport(link, options);
}

class PullTransport<Receipt> implements Transport {
  readonly broker: string;
  readonly capabilities: Capabilities;
  readonly shortcomings: Shortcomings;
  readonly hasSequenceByKey: boolean;
  readonly depth?: NonNullable<Transport["depth"]>;
  readonly #link: PullLink<Receipt>;
  readonly #host: Host;
  readonly #pollMs: number;
  readonly #takesAhead: boolean;
  readonly #life: TransportLife;

  constructor(link: PullLink<Receipt>, { broker, capabilities, shortcomings = {}, ...tuning }: PullTransportOptions) {
    const { pollMs, answerWithinMs, takeWaitMs, takesAhead, hasSequenceByKey, host } = withDefaults<Tuning>(
      pullTransportDefaults,
      tuning,
    );
    requireNumber("pollMs", pollMs, { min: 1 });
    if (answerWithinMs !== null) requireNumber("answerWithinMs", answerWithinMs, { min: 1 });
    requireNumber("takeWaitMs", takeWaitMs, { min: 0 });
    this.broker = broker;
    this.capabilities = capabilities;
    this.shortcomings = shortcomings;
    this.hasSequenceByKey = hasSequenceByKey;
    this.#pollMs = pollMs;
    this.#takesAhead = takesAhead;
    this.#host = host;
    const limits = { clock: host.clock, limitMs: answerWithinMs ?? 0, takeWaitMs };
    this.#link = answerWithinMs === null ? link : answeringLink(link, limits);
    this.#life = new TransportLife(broker, () => this.#link.close());
    const { depth } = this.#link;
    if (depth !== undefined) this.depth = (of) => this.#life.ask(() => depth.call(this.#link, of));
  }

  async send(to: Address, message: Message, { delayMs = 0, onward }: SendOptions = {}): Promise<void> {
    requireNumber("delayMs", delayMs, { min: 0 });
    await this.#life.send(() => this.#link.send(to, message, delayMs, onward));
  }

  async consume(from: Address, handle: Handle, options: ConsumeOptions): Promise<void> {
    const own = { link: this.#link, host: this.#host, pollMs: this.#pollMs, takesAhead: this.#takesAhead };
    await this.#life.consume(() => {
      requireConsumeOptions(options);
      return new PullConsumer({ ...own, from, handle, options });
    });
  }

  close(): Promise<void> {
    return this.#life.close();
  }
}
