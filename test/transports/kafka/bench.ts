import { onTestFinished } from "vitest";
import { type Address, type Delivery, done, type Message, type Verdict } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { type KafkaTransportOptions, kafkaTransport } from "../../../src/transports/kafka/transport.ts";
import type { ConsumeOptions, Handle, Incident, Transport } from "../../../src/transports/transport.ts";

/** A queue that one test alone uses. */
export function ownQueue(): Required<Address> {
  const id = crypto.randomUUID().slice(0, 8);
  return { name: `topic-${id}`, group: `group-${id}` };
}

/** A transport that is closed after the test. */
export function open(options: KafkaTransportOptions): Transport {
  const transport = kafkaTransport({ retryWaitsMs: [0, 300, 60_000], partitions: 4, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

export interface Consuming {
  readonly deliveries: readonly Delivery[];
  readonly incidents: readonly Incident[];
  bodies(): string[];
  until(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** A consumer that is stopped after the test. */
export function consume(
  transport: Transport,
  from: Address,
  handle: Handle = async () => done,
  options: Partial<ConsumeOptions> = {},
): Consuming {
  const deliveries: Delivery[] = [];
  const incidents: Incident[] = [];
  const stop = new AbortController();
  const over = transport.consume(
    from,
    (delivery) => {
      deliveries.push(delivery);
      return handle(delivery);
    },
    {
      ...{ concurrency: 4, prefetch: 8, order: "none", leaseMs: 30_000, returnDelayMs: 200 },
      report: (incident) => incidents.push(incident),
      ...options,
      signal: stop.signal,
    },
  );
  over.catch(() => {});
  const consuming: Consuming = {
    deliveries,
    incidents,
    bodies: () => deliveries.map(({ message }) => text(message)),
    until: (count) => eventually(() => deliveries.length >= count, { withinMs: 120_000 }),
    stop() {
      stop.abort();
      return over;
    },
  };
  onTestFinished(() => consuming.stop().catch(() => {}));
  return consuming;
}

/** A verdict to be given later. */
export function hold(): { readonly verdict: Promise<Verdict>; give(verdict: Verdict): void } {
  let give: (verdict: Verdict) => void = () => {};
  const verdict = new Promise<Verdict>((resolve) => {
    give = resolve;
  });
  // Whatever happens, nothing may wait for it for ever.
  onTestFinished(() => give(done));
  return { verdict, give };
}

export function text({ body }: Pick<Message, "body">): string {
  return Buffer.from(body).toString();
}
