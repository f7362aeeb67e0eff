import type { ConsumeMessage } from "amqplib";
import type { Cancel, Host } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { hasCode } from "../../domain/has-code.ts";
import { type Address, queueName } from "../../domain/message.ts";
import { Bell } from "../bell.ts";
import { isCharged } from "../charged.ts";
import { harmless } from "../consume-options.ts";
import type { ConsumeOptions, Handle, Incident } from "../transport.ts";
import type { Connection } from "./connection.ts";
import { Contact } from "./contact.ts";
import type { DelayRules } from "./delay-buckets.ts";
import { RabbitmqDelivery } from "./delivery.ts";
import { HandOver } from "./hand-over.ts";
import { Line } from "./line.ts";
import { decodeMessage } from "./message-codec.ts";
import { Onward } from "./onward.ts";
import type { Publisher } from "./publisher.ts";
import type { Topology } from "./topology.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** How many others have to come before a consumer that met a charged message takes several at a time again. */
const othersUntilBold = 10;

export interface ConsumerParts {
  /** Deliveries and acknowledgements: the broker goes on reading it while it takes no messages. */
  readonly receiving: Connection;
  readonly sending: Connection;
  readonly topology: Topology;
  readonly publisher: Publisher;
  readonly user: string;
  readonly coalesce: boolean;
  readonly delays: DelayRules;
  readonly answerWithinMs: number;
  readonly host: Host;
  readonly from: Address;
  readonly handle: Handle;
  readonly options: ConsumeOptions;
}

/**
 * One `consume`: subscribes as far as the gate allows, again after every loss, and ends when it is told to.
 *
 * Everything that changes how it should be wakes `#tend`, which alone changes how it is, one step at a time: so no two
 * steps (cancel, subscribe, close) ever overlap.
 */
export class RabbitmqConsumer {
  readonly #parts: ConsumerParts;
  readonly #queue: string;
  readonly #ordered: boolean;
  readonly #report: (incident: Incident) => void;
  readonly #onward: Onward;
  readonly #handOver: HandOver;
  readonly #contact: Contact;
  readonly #stop = new AbortController();
  /** Rings when something may have to change. */
  readonly #bell = new Bell();
  #line: Line | null = null;
  /** Something has to come again, in its place: the line ends when nothing is under way on it. */
  #restarting = false;
  /** While above 0, one message is in hand at a time. */
  #caution = 0;
  #failure: { readonly error: unknown } | null = null;
  #hasListened = false;

  constructor(parts: ConsumerParts) {
    const { publisher, user, delays, answerWithinMs, host, handle, options } = parts;
    const { returnDelayMs } = options;
    this.#parts = parts;
    this.#queue = queueName(parts.from);
    this.#ordered = options.order === "key";
    this.#report = harmless(options.report);
    this.#contact = new Contact(host, this.#report);
    const shared = { returnDelayMs, report: this.#report };
    this.#onward = new Onward({ publisher, queue: this.#queue, user, delays, answerWithinMs, host, ...shared });
    this.#handOver = new HandOver({
      handle,
      onward: this.#onward,
      ordered: this.#ordered,
      limit: () => this.#limit(),
      stopping: this.#stop.signal,
      clock: host.clock,
      settled: () => this.#settled(),
      comeAgain: () => {
        this.#restarting = true;
        this.#bell.ring();
      },
      ...shared,
    });
  }

  async run(): Promise<void> {
    const cancels = this.#listen();
    try {
      await this.#tend();
    } finally {
      for (const cancel of cancels) cancel();
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  stop(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#bell.ring();
  }

  #listen(): Cancel[] {
    const { options, sending, host, answerWithinMs } = this.#parts;
    const { signal, gate } = options;
    const stop = () => this.stop();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) this.stop();
    const cancels = [
      () => signal.removeEventListener("abort", stop),
      sending.onBlocked((reason) => this.#tellBlocked(reason)),
    ];
    if (gate) cancels.push(gate.onChange(() => this.#gateChanged()));
    // A broker that does not answer must not keep the consumer from ending.
    this.#stop.signal.addEventListener("abort", () => {
      cancels.push(host.clock.after(answerWithinMs, () => this.#onward.hurry()));
    });
    return cancels;
  }

  get #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** How many handlers may run now. */
  #limit(): number {
    if (this.#stopping || this.#restarting) return 0;
    const { concurrency, gate } = this.#parts.options;
    const most = this.#caution > 0 ? 1 : concurrency;
    return gate === undefined ? most : Math.min(most, gate.limit);
  }

  /** How many messages we may have in hand. A narrowed gate takes nothing ahead: it would only sit here. */
  #wantedPrefetch(): number {
    const limit = this.#limit();
    const { concurrency, prefetch } = this.#parts.options;
    return limit < concurrency ? Math.max(0, limit) : prefetch;
  }

  async #tend(): Promise<void> {
    while (!this.#isOver()) {
      if (!(await this.#step())) await this.#bell.heard();
    }
    await this.#line?.close();
  }

  #isOver(): boolean {
    if (!this.#stopping || this.#handOver.busy > 0) return false;
    return this.#line === null || this.#ordered || this.#line.prefetch === 0;
  }

  /** One step towards how it should be. False if there is none to make now. */
  async #step(): Promise<boolean> {
    const wanted = this.#wantedPrefetch();
    if (this.#line === null) return this.#beginLine(wanted);
    return this.#ordered ? this.#tendOrdered(this.#line, wanted) : this.#tendShared(this.#line, wanted);
  }

  async #tendShared(line: Line, wanted: number): Promise<boolean> {
    const { prefetch } = line;
    // Of a narrow gate that gets narrower only the handlers need to know.
    const staysNarrow = wanted > 0 && wanted < prefetch && prefetch < this.#parts.options.concurrency;
    if (wanted === prefetch || staysNarrow) return false;
    try {
      await line.unsubscribe();
      this.#handOver.giveBackBeyond(this.#wantedPrefetch() - this.#handOver.busy);
      const next = this.#wantedPrefetch();
      if (next > 0 && this.#line === line) await line.subscribe(next);
    } catch {
      // No answer, or a channel that is gone: another one will do.
      await line.close();
    }
    return true;
  }

  /**
   * Order outlives this consumer only if whatever is unsettled goes back in its place, all of it at once: by ending the
   * line, after those under way have settled. A cancel would let the next consumer overtake them.
   */
  async #tendOrdered(line: Line, wanted: number): Promise<boolean> {
    if (wanted > 0 || this.#handOver.busy > 0) return false;
    await line.close();
    this.#restarting = false;
    return true;
  }

  async #beginLine(wanted: number): Promise<boolean> {
    if (wanted === 0 || (this.#ordered && this.#handOver.busy > 0)) return false;
    await this.#contact.timeToTry(this.#stop.signal);
    if (this.#stopping) return true;
    try {
      await this.#openLine();
      this.#contact.made();
      this.#tellListening();
    } catch (error) {
      if (isHopeless(error)) this.#fail(error);
      else if (!this.#stopping) this.#contact.lost(error);
    }
    return true;
  }

  #tellListening(): void {
    if (this.#hasListened) return;
    this.#hasListened = true;
    this.#parts.options.listening?.();
  }

  async #openLine(): Promise<void> {
    const { receiving, topology, coalesce, answerWithinMs, host } = this.#parts;
    const queue = this.#queue;
    const session = await unlessAborted(receiving.open(), this.#stop.signal, "The consumer was stopped.");
    if (this.#ordered) await topology.ensureOrdered(queue);
    else if (!topology.isReady({ name: queue })) await topology.ensure({ name: queue });
    const line = new Line({
      channel: await session.openChannel(),
      queue,
      coalesce,
      answerWithinMs,
      clock: host.clock,
      receive: (from, message) => this.#receive(from, message, session.rules.counter),
      ended: (ended, lost) => this.#ended(ended, lost),
    });
    this.#line = line;
    await this.#subscribe(line);
  }

  async #subscribe(line: Line): Promise<void> {
    const { topology } = this.#parts;
    const wanted = this.#wantedPrefetch();
    try {
      if (wanted > 0) await line.subscribe(wanted);
    } catch (error) {
      const target = { name: this.#queue };
      topology.forget(target);
      await line.close();
      throw isMissing(error) && !topology.mayMake(target) ? topology.notFound(target) : error;
    }
  }

  #receive(line: Line, { fields, properties, content }: ConsumeMessage, counter: string): void {
    // Bytes by now: see raw-frames.ts.
    const parcel = { properties: properties as unknown as Buffer, body: content };
    const delivery = new RabbitmqDelivery({
      received: decodeMessage(parcel, this.#queue, counter),
      tag: fields.deliveryTag,
      redelivered: fields.redelivered,
      source: this.#parts.from,
      acknowledger: line.acknowledger,
      onward: this.#onward,
    });
    line.acknowledger.take(delivery);
    this.#beCautious(delivery);
    this.#handOver.receive(delivery);
  }

  /**
   * A charged message that comes back without a result is blamed for the death of its process. That is just only if
   * nothing else that is charged was in hand with it: so where there is one, we take one at a time.
   */
  #beCautious({ message, redelivered }: RabbitmqDelivery): void {
    const before = this.#caution;
    if (isCharged(message, this.#queue)) this.#caution = othersUntilBold;
    else if (before > 0 && !redelivered) this.#caution -= 1;
    if (before > 0 !== this.#caution > 0) this.#bell.ring();
  }

  #ended(line: Line, lost: { readonly error: unknown } | null): void {
    if (this.#line !== line) return;
    this.#line = null;
    this.#restarting = false;
    this.#handOver.drop();
    if (lost !== null && !this.#stopping) this.#contact.lost(lost.error ?? this.#parts.receiving.lastError);
    this.#bell.ring();
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.stop();
  }

  #gateChanged(): void {
    this.#handOver.start();
    this.#bell.ring();
  }

  #settled(): void {
    if (this.#stopping || this.#ordered) this.#bell.ring();
  }

  #tellBlocked(reason: string | null): void {
    if (reason === null) this.#report({ kind: "broker-unblocked" });
    else this.#report({ kind: "broker-blocked", error: new Error(`RabbitMQ takes no messages: ${reason}.`) });
  }
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 404);
}

/** What no waiting cures: somebody has to change the options, install a package or make the queue. */
function isHopeless(error: unknown): boolean {
  const codes = ["QUEUE_NOT_FOUND", "TRANSPORT_CLOSED", "INVALID_OPTION", "MISSING_CLIENT_LIBRARY"] as const;
  return codes.some((code) => isOfficeError(error, code));
}
