import { pause } from "../../domain/clock.ts";
import {
  type Address,
  type Delivery,
  done,
  type Message,
  type MessageParts,
  makeMessage,
  type Verdict,
} from "../../domain/message.ts";
import { systemClock, systemHost } from "../../system/host.ts";
import type {
  Capabilities,
  ConsumeOptions,
  Handle,
  Incident,
  Shortcomings,
  Transport,
} from "../../transports/transport.ts";
import type { Exemptions } from "../contract.ts";
import { eventually } from "../eventually.ts";

/** A transport as it is put to the test. */
export interface TransportSubject {
  /** How it is called in reports. */
  readonly name: string;
  /** What it claims; promises it does not claim are not tested, and their titles say so. */
  readonly capabilities: Capabilities;
  /** Why it does not claim the rest; the titles say so. */
  readonly shortcomings?: Shortcomings;
  /** A new connection to the broker. All connections of one test see the same queues. */
  connect(): Promise<Transport>;
  /** Promises this broker cannot keep, by title, each with why. A title that matches no test fails. */
  readonly exempt?: Exemptions;
  /** Where a queue of this name is. @default `{ name }` */
  address?(name: string): Address;
  /**
   * Kills a connection, as the death of its process would: nothing it holds is settled or given back. Without it a
   * consumer is taken for dead that never settles; that is enough where deliveries are leased.
   */
  crash?(transport: Transport): Promise<void>;
  /** Makes the broker refuse what this connection sends to `queue`, until the returned function is called. */
  failSendsTo?(transport: Transport, queue: Address): Promise<() => void>;
  /** Programs that ask and wait for an answer, one of each kind of address that this broker has for that. */
  requesters?(): Promise<readonly Requester[]>;
  /** Interrupts the connection; it comes back when the returned function is called. */
  interrupt?(transport: Transport): Promise<() => void>;
  /** The shortest lease that does not lapse by accident, in milliseconds. @default 400 */
  readonly shortLeaseMs?: number;
  /** How long anything may take that has to happen, in milliseconds. @default 30_000 */
  readonly patienceMs?: number;
}

/** A program that has asked, and waits for an answer at an address of its own. */
export interface Requester {
  readonly address: Address;
  /** Bodies of what came there so far, as text. */
  answers(): readonly string[];
  /** Goes, and its address with it. */
  leave(): Promise<void>;
}

export interface ConsumeHow extends Partial<ConsumeOptions> {
  readonly on?: Transport;
  readonly from?: Address;
}

/** A consumer under way. */
export interface Consuming {
  /** What was handed over so far. */
  readonly deliveries: readonly Delivery[];
  readonly incidents: readonly Incident[];
  /** Bodies of what was handed over, as text. */
  bodies(): string[];
  /** Resolves with the delivery handed over as the `count`-th, counted from 1. */
  delivery(count: number): Promise<Delivery>;
  /** Tells it to stop; resolves when it has. */
  stop(): Promise<void>;
}

/** A verdict to be given later. */
export interface Hold {
  readonly verdict: Promise<Verdict>;
  give(verdict: Verdict): void;
}

/** What one test works with: a connection, a queue of its own, and whatever it opens; all is closed afterwards. */
export class Bench {
  readonly subject: TransportSubject;
  readonly transport: Transport;
  readonly queue: Address;
  readonly shortLeaseMs: number;
  readonly #name = `contract-${systemHost.newId()}`;
  readonly #transports: Transport[] = [];
  readonly #consuming: Consuming[] = [];
  readonly #holds: Hold[] = [];
  #isClearing = false;

  constructor(subject: TransportSubject, transport: Transport) {
    this.subject = subject;
    this.transport = transport;
    this.#transports.push(transport);
    this.queue = this.address("");
    this.shortLeaseMs = subject.shortLeaseMs ?? 400;
  }

  /** A queue that this test alone uses. */
  address(suffix: string): Address {
    const name = this.#name + suffix;
    return this.subject.address?.(name) ?? { name };
  }

  async connect(): Promise<Transport> {
    const transport = await this.subject.connect();
    this.#transports.push(transport);
    return transport;
  }

  async send(...bodies: readonly string[]): Promise<void> {
    for (const body of bodies) await this.sendMessage({ body });
  }

  async sendMessage(parts: MessageParts, options?: { readonly delayMs?: number }): Promise<Message> {
    const message = makeMessage(parts);
    await this.transport.send(this.queue, message, options);
    return message;
  }

  consume(handle: Handle, { on = this.transport, from = this.queue, ...options }: ConsumeHow = {}): Consuming {
    const deliveries: Delivery[] = [];
    const incidents: Incident[] = [];
    const stop = new AbortController();
    const over = on.consume(
      from,
      (delivery) => {
        deliveries.push(delivery);
        return handle(delivery);
      },
      { ...unhurried, report: (incident) => incidents.push(incident), ...options, signal: stop.signal },
    );
    // A test that stops it sees the rejection; the bench's own clearing away is not to be stopped by it.
    over.catch(() => {});
    const consuming: Consuming = {
      deliveries,
      incidents,
      bodies: () => deliveries.map(({ message }) => text(message)),
      delivery: async (count) => {
        await this.eventually(() => deliveries.length >= count);
        return deliveries[count - 1] as Delivery;
      },
      stop() {
        stop.abort();
        return over;
      },
    };
    this.#consuming.push(consuming);
    return consuming;
  }

  /** A consumer for which everything is done at once. */
  collect(how?: ConsumeHow): Consuming {
    return this.consume(() => Promise.resolve(done), how);
  }

  hold(): Hold {
    let give: (verdict: Verdict) => void = () => {};
    const verdict = new Promise<Verdict>((resolve) => {
      give = resolve;
    });
    const hold = { verdict, give };
    this.#holds.push(hold);
    if (this.#isClearing) give(done);
    return hold;
  }

  /** The death of the process that has this connection. */
  async crash(transport: Transport): Promise<void> {
    if (this.subject.crash) return this.subject.crash(transport);
    if (!this.subject.capabilities.lease) throw new Error("A subject without leases has to offer `crash`.");
  }

  eventually(condition: () => unknown): Promise<void> {
    return eventually(condition, { withinMs: this.subject.patienceMs ?? 30_000 });
  }

  /** Long enough for something to happen that must not. */
  quiet(ms = 100): Promise<void> {
    return pause(systemClock, ms);
  }

  /** Beyond the end of a short lease. */
  lapse(): Promise<void> {
    return this.quiet(this.shortLeaseMs + 150);
  }

  async clear(): Promise<void> {
    this.#isClearing = true;
    for (const hold of this.#holds) hold.give(done);
    await Promise.allSettled(this.#consuming.map((consuming) => consuming.stop()));
    await Promise.allSettled(this.#transports.map((transport) => transport.close()));
  }
}

const unhurried: Omit<ConsumeOptions, "signal"> = {
  concurrency: 1,
  prefetch: 1,
  order: "none",
  leaseMs: 30_000,
  returnDelayMs: 200,
};

export function text({ body }: { readonly body: Uint8Array }): string {
  return Buffer.from(body).toString();
}
