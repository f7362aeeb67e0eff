import type { Cancel } from "../domain/clock.ts";
import { pause } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { queueName } from "../domain/message.ts";
import { requireOption } from "../domain/options.ts";
import { createBudget } from "../policies/budget.ts";
import { createPoisonJudge } from "../policies/poison.ts";
import { createStormWatch } from "../policies/storm.ts";
import type { Handle, Incident } from "../transports/transport.ts";
import { type Breaker, breakerDefaults, createBreaker } from "./breaker.ts";
import { ConsumerGate } from "./consumer-gate.ts";
import type { ConsumerOptions } from "./consumer-options.ts";
import { type ConsumerSettings, readConsumerOptions } from "./consumer-settings.ts";
import { DeliveryHandler } from "./delivery-handler.ts";
import { describeConsumer } from "./describe-consumer.ts";
import { Events, type Observer } from "./events.ts";
import { InHand } from "./in-hand.ts";
import { keepOrder } from "./keep-order.ts";
import type { ParkedPasses } from "./parked-passes.ts";
import { Verdicts } from "./verdicts.ts";

/** How a consumer is, judged by progress and not by whether its process lives. */
export interface ConsumerHealth {
  /** "stalled": something is in hand and nothing has finished for too long. A probe should fail on it. */
  readonly status: "idle" | "working" | "paused" | "disconnected" | "stalled" | "stopped";
  readonly inHand: number;
  /** Milliseconds since 1970 when something last finished, or came while nothing was in hand. */
  readonly progressAt: number;
}

export interface Consumer {
  /** Begins to consume. Resolves when the consumer has stopped; rejects if it can never work. */
  start(): Promise<void>;
  /**
   * Takes no more messages, waits for the handlers at work, then gives up those that take longer than `drainMs`: their
   * messages go back, and their attempt counts. Calling it again waits for the same end.
   */
  stop(): Promise<void>;
  health(): ConsumerHealth;
  /** Tells `observer` all that happens from now on, until cancelled. */
  observe(observer: Observer): Cancel;
  readonly breaker: Breaker | undefined;
}

/**
 * Makes a consumer: messages from a queue through a handler, with a structured path for every failure.
 *
 * @example
 * const consumer = createConsumer({
 *   transport: memoryTransport(),
 *   queue: "orders",
 *   handler: async ({ payload, signal }) => placeOrder(payload, signal),
 * });
 * void consumer.start();
 */
export function createConsumer<Payload = unknown, Tx = undefined>(options: ConsumerOptions<Payload, Tx>): Consumer {
  return new RunningConsumer(readConsumerOptions(options));
}

class RunningConsumer<Payload, Tx> implements Consumer {
  readonly breaker: Breaker | undefined;
  readonly #settings: ConsumerSettings<Payload, Tx>;
  readonly #events: Events;
  readonly #inHand: InHand;
  readonly #gate: ConsumerGate;
  readonly #handle: Handle;
  readonly #passes: ParkedPasses | undefined;
  readonly #ownsBreaker: boolean;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined = undefined;
  #stopped: Promise<void> | undefined = undefined;
  #ended = false;
  #closing: Promise<void> | undefined = undefined;
  #disconnected = false;

  constructor(settings: ConsumerSettings<Payload, Tx>) {
    const { host, name, source } = settings;
    const queue = queueName(source);
    this.#settings = settings;
    this.#events = new Events(() => ({ at: host.clock.now(), queue, handler: name }));
    for (const observer of settings.observers) this.#events.observe(observer);
    // Whatever may be refused is made first: a breaker that watches a store must not be left behind by a throw.
    const budget = settings.budget === false ? undefined : createBudget(settings.budget, "retry.budget");
    const judgePoison = createPoisonJudge(settings.poison);
    const storms = createStormWatch(settings.storm);
    this.#ownsBreaker = !isBreaker(settings.breaker);
    this.breaker = breakerOf(settings);
    this.#gate = new ConsumerGate({
      events: this.#events,
      breaker: this.breaker,
      dependencies: settings.dependencies,
      pauses: settings.whenOpen === "pause",
    });
    this.#inHand = new InHand({
      clock: host.clock,
      leaseMs: settings.leaseMs,
      timeLimitMs: settings.timeLimitMs,
      lost: ({ message, attempt }) => this.#events.emit({ type: "lease-lost", message, attempt }),
    });
    const events = this.#events;
    const verdicts = new Verdicts({ settings, events, budget, judgePoison, storms });
    const { handle } = new DeliveryHandler({
      ...{ settings, queue, events, budget, judgePoison, verdicts, by: verdicts.by },
      ...{ inHand: this.#inHand, gate: this.#gate },
    });
    const signal = this.#stopping.signal;
    const ordered = keepOrder({ settings, queue, events, handle, signal });
    this.#handle = ordered?.handle ?? handle;
    this.#passes = ordered?.passes;
  }

  start(): Promise<void> {
    if (this.#running || this.#stopped) {
      const was = this.#stopped ? "stopped" : "started";
      const text = `This consumer was ${was} before. Make another one with createConsumer to consume again.`;
      return Promise.reject(new OfficeError("CONSUMER_ALREADY_STARTED", text));
    }
    this.#running = this.#consume();
    return this.#running;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#drain();
    return this.#stopped;
  }

  health(): ConsumerHealth {
    const { size: inHand, progressAt } = this.#inHand;
    return { status: this.#status(inHand, progressAt), inHand, progressAt };
  }

  observe(observer: Observer): Cancel {
    return this.#events.observe(observer);
  }

  async #consume(): Promise<void> {
    const { transport, source, concurrency, prefetch, leaseMs, returnDelayMs } = this.#settings;
    this.#events.emit({ type: "started", consumer: describeConsumer(this.#settings) });
    this.#passes?.start();
    try {
      await transport.consume(source, this.#handle, {
        ...{ concurrency, prefetch, leaseMs, returnDelayMs, order: this.#passes ? "key" : "none" },
        signal: this.#stopping.signal,
        gate: this.#gate,
        report: (incident) => this.#note(incident),
      });
    } finally {
      this.#stopping.abort();
      await this.#passes?.over();
      await this.#end();
    }
  }

  async #drain(): Promise<void> {
    const { host, drainMs } = this.#settings;
    this.#events.emit({ type: "stopping", inHand: this.#inHand.size });
    this.#stopping.abort();
    const settled = this.#running?.catch(() => {}) ?? Promise.resolve();
    const inTime = new AbortController();
    const drained = settled.then(() => inTime.abort());
    await pause(host.clock, drainMs, inTime.signal);
    const abandoned = inTime.signal.aborted ? 0 : this.#inHand.giveUpAll();
    await drained;
    await this.#end();
    this.#events.emit({ type: "stopped", abandoned });
  }

  #end(): Promise<void> {
    this.#ended = true;
    this.#gate.close();
    this.#inHand.close();
    // Waited for: a shared breaker would wait a whole lease for a probe whose result it was never told.
    this.#closing ??= (this.#ownsBreaker ? this.breaker?.close() : undefined) ?? Promise.resolve();
    return this.#closing;
  }

  #note(incident: Incident): void {
    if (incident.kind === "connection-lost") this.#disconnected = true;
    if (incident.kind === "connection-restored") this.#disconnected = false;
    this.#events.emit({ type: "incident", incident });
  }

  #status(inHand: number, progressAt: number): ConsumerHealth["status"] {
    const { host, stalledAfterMs } = this.#settings;
    if (this.#ended) return "stopped";
    if (inHand > 0 && host.clock.now() - progressAt > stalledAfterMs) return "stalled";
    if (this.#disconnected) return "disconnected";
    if (this.#gate.limit === 0) return "paused";
    return inHand > 0 ? "working" : "idle";
  }
}

function isBreaker(value: unknown): value is Breaker {
  return typeof value === "object" && value !== null && "admit" in value;
}

function breakerOf<Payload, Tx>(settings: ConsumerSettings<Payload, Tx>): Breaker | undefined {
  const { breaker, name, host, timeLimitMs } = settings;
  if (breaker === false) return undefined;
  if (isBreaker(breaker)) return breaker;
  const { probeLeaseMs = Math.max(breakerDefaults.probeLeaseMs, 3 * timeLimitMs) } = breaker ?? {};
  const patient = probeLeaseMs > timeLimitMs;
  requireOption(patient, "breaker.probeLeaseMs", "more than `timeLimitMs`, or a slow probe never counts", probeLeaseMs);
  return createBreaker({ name, clock: host.clock, ...breaker, probeLeaseMs });
}
