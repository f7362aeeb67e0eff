import { type ChannelModel, connect } from "amqplib";
import { onTestFinished } from "vitest";
import { type Delivery, done, makeMessage, type Verdict } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import type { RabbitmqTransportOptions } from "../../../src/transports/rabbitmq/options.ts";
import { hastyRabbitmqTransport } from "../../../src/transports/rabbitmq/transport.ts";
import type { ConsumeOptions, Handle, Incident, Transport } from "../../../src/transports/transport.ts";

/** A queue that this test alone uses. */
export function ownQueue(): { readonly name: string } {
  return { name: `test-${crypto.randomUUID()}` };
}

/** One that trusts the queues it makes at once: nobody kills these servers meanwhile. */
export function openTransport(url: string, options: Partial<RabbitmqTransportOptions> = {}): Transport {
  return closing(hastyRabbitmqTransport({ url, ...options }));
}

export function closing(transport: Transport): Transport {
  onTestFinished(() => transport.close());
  return transport;
}

/** The bare client, for what an administrator or another program would do. */
export async function openClient(url: string): Promise<ChannelModel> {
  const model = await connect(url, { noDelay: true });
  model.on("error", () => {});
  onTestFinished(() => model.close().catch(() => {}));
  return model;
}

export interface Consuming {
  readonly deliveries: readonly Delivery[];
  readonly incidents: readonly Incident[];
  bodies(): string[];
  kinds(): string[];
  /** Resolves once that many were handed over. */
  count(deliveries: number): Promise<void>;
  /** Resolves once that incident was reported. */
  told(kind: Incident["kind"]): Promise<void>;
  /** Settles when it has ended. */
  readonly over: Promise<void>;
  stop(): Promise<void>;
}

export function consume(
  transport: Transport,
  from: { readonly name: string },
  handle: (delivery: Delivery) => Promise<Verdict> = allDone,
  options: Partial<ConsumeOptions> = {},
): Consuming {
  const deliveries: Delivery[] = [];
  const incidents: Incident[] = [];
  const stop = new AbortController();
  const collecting: Handle = (delivery) => {
    deliveries.push(delivery);
    return handle(delivery);
  };
  const over = transport.consume(from, collecting, {
    ...{ concurrency: 10, prefetch: 20, order: "none", leaseMs: 30_000, returnDelayMs: 100 },
    ...options,
    signal: stop.signal,
    report: (incident) => incidents.push(incident),
  });
  over.catch(() => {});
  const end = () => {
    stop.abort();
    return over;
  };
  onTestFinished(() => end().catch(() => {}));
  return {
    deliveries,
    incidents,
    over,
    bodies: () => deliveries.map(({ message }) => Buffer.from(message.body).toString()),
    kinds: () => incidents.map(({ kind }) => kind),
    count: (count) => eventually(() => deliveries.length >= count, soon),
    told: (kind) => eventually(() => incidents.some((one) => one.kind === kind), soon),
    stop: end,
  };
}

/** Long enough for a busy broker; nobody waits that long for what happens. */
const soon = { withinMs: 120_000 };

const allDone = async (): Promise<Verdict> => done;

/** Sends until it is known to have arrived, as a careful producer does. */
export async function insist(transport: Transport, to: { readonly name: string }, body: string): Promise<void> {
  await eventually(() => transport.send(to, makeMessage({ body })), soon);
}

export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index).padStart(4, "0"));
}
