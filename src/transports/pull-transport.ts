import type { Host } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import type { Address, Message } from "../domain/message.ts";
import { requireNumber, requireOneOf, requireOption, withDefaults } from "../domain/options.ts";
import { systemHost } from "../system/host.ts";
import { answeringLink } from "./answering-link.ts";
import { PullConsumer } from "./pull-consumer.ts";
import type { PullLink } from "./pull-link.ts";
import type { Capabilities, ConsumeOptions, Handle, Transport } from "./transport.ts";

export interface PullTransportOptions {
  readonly broker: string;
  readonly capabilities: Capabilities;
  /** How often a broker that has nothing is asked again, in milliseconds, where no hint comes earlier. @default 1_000 */
  readonly pollMs?: number;
  /**
   * How long the broker may take to answer, in milliseconds; after that the answer is unknown. Too short, and a slow
   * broker does everything twice. Null: the link always answers. @default 10_000
   */
  readonly answerWithinMs?: number | null;
  /** Clock, dice and ids. @default the host's own */
  readonly host?: Host;
}

type Tuning = Omit<PullTransportOptions, "broker" | "capabilities">;

export const pullTransportDefaults = {
  pollMs: 1_000,
  answerWithinMs: 10_000,
  host: systemHost,
} satisfies Required<Tuning>;

/** A whole transport over a broker that gives messages to whoever asks for them. */
export function pullTransport<Receipt>(link: PullLink<Receipt>, options: PullTransportOptions): Transport {
  return new PullTransport(link, options);
}

class PullTransport<Receipt> implements Transport {
  readonly broker: string;
  readonly capabilities: Capabilities;
  readonly #link: PullLink<Receipt>;
  readonly #host: Host;
  readonly #pollMs: number;
  readonly #consumers = new Map<PullConsumer<Receipt>, Promise<void>>();
  readonly #sending = new Set<Promise<void>>();
  #state: "open" | "draining" | "closed" = "open";
  #closing: Promise<void> | null = null;

  constructor(link: PullLink<Receipt>, { broker, capabilities, ...tuning }: PullTransportOptions) {
    const { pollMs, answerWithinMs, host } = withDefaults<Tuning>(pullTransportDefaults, tuning);
    requireNumber("pollMs", pollMs, { min: 1 });
    if (answerWithinMs !== null) requireNumber("answerWithinMs", answerWithinMs, { min: 1 });
    this.broker = broker;
    this.capabilities = capabilities;
    this.#pollMs = pollMs;
    this.#host = host;
    this.#link = answerWithinMs === null ? link : answeringLink(link, { clock: host.clock, limitMs: answerWithinMs });
  }

  async send(to: Address, message: Message, { delayMs = 0 }: { readonly delayMs?: number } = {}): Promise<void> {
    requireNumber("delayMs", delayMs, { min: 0 });
    // Handlers under way may still send while the transport drains.
    if (this.#state === "closed") throw closedError(this.broker);
    const sending = this.#link.send(to, message, delayMs);
    this.#sending.add(sending);
    try {
      await sending;
    } finally {
      this.#sending.delete(sending);
    }
  }

  async consume(from: Address, handle: Handle, options: ConsumeOptions): Promise<void> {
    if (this.#state !== "open") throw closedError(this.broker);
    requireConsumeOptions(options);
    const consumer = new PullConsumer({
      link: this.#link,
      host: this.#host,
      pollMs: this.#pollMs,
      from,
      handle,
      options,
    });
    const running = consumer.run();
    this.#consumers.set(consumer, running);
    try {
      await running;
    } finally {
      this.#consumers.delete(consumer);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#state = "draining";
    for (const consumer of this.#consumers.keys()) consumer.stop();
    await Promise.allSettled(this.#consumers.values());
    this.#state = "closed";
    await Promise.allSettled(this.#sending);
    await this.#link.close();
  }
}

function closedError(broker: string): OfficeError {
  return new OfficeError("TRANSPORT_CLOSED", `The ${broker} transport is closed. Make a new one to go on.`);
}

function requireConsumeOptions({ concurrency, prefetch, order, leaseMs, returnDelayMs }: ConsumeOptions): void {
  requireNumber("concurrency", concurrency, { min: 1, integer: true });
  requireNumber("prefetch", prefetch, { min: 1, integer: true });
  requireOption(prefetch >= concurrency, "prefetch", `at least \`concurrency\` (${concurrency})`, prefetch);
  requireOneOf("order", order, ["none", "key"]);
  requireNumber("leaseMs", leaseMs, { min: 1 });
  requireNumber("returnDelayMs", returnDelayMs, { min: 0 });
}
