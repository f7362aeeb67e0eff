import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect, type MsgHdrs, type NatsConnection } from "@nats-io/transport-node";
import { onTestFinished } from "vitest";
import { type Delivery, done, type Verdict } from "../../../src/domain/message.ts";
import { natsTransport } from "../../../src/nats.ts";
import type { NatsLink } from "../../../src/transports/nats/link.ts";
import { natsLink, natsTransportDefaults } from "../../../src/transports/nats/transport.ts";
import type { ConsumeOptions, Incident, Transport } from "../../../src/transports/transport.ts";

export type Taken = Awaited<ReturnType<NatsLink["take"]>>[number];

/** Another program at the same server. */
export interface Stranger {
  readonly client: NatsConnection;
  readonly manager: JetStreamManager;
  /** Into a stream, which has said that it has it. */
  publish(subject: string, body: string | Uint8Array, headers?: MsgHdrs): Promise<void>;
  /** How many messages a stream has. */
  count(stream: string): Promise<number>;
}

/** What a test works with; all is closed when it is over. */
export async function openStranger(url: string): Promise<Stranger> {
  const client = await connect({ servers: url });
  onTestFinished(() => client.close());
  const manager = await jetstreamManager(client);
  return {
    client,
    manager,
    async publish(subject, body, headers) {
      await client.request(subject, body, { timeout: 30_000, ...(headers && { headers }) });
    },
    count: async (stream) => (await manager.streams.info(stream)).state.messages,
  };
}

export function openLink(url: string, settings: Partial<typeof natsTransportDefaults> = {}): NatsLink {
  const link = natsLink(url, { ...natsTransportDefaults, ...settings });
  onTestFinished(() => link.close());
  return link;
}

export function openTransport(url: string, options: Partial<typeof natsTransportDefaults> = {}): Transport {
  const transport = natsTransport({ url, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

export function consume(
  transport: Transport,
  name: string,
  handle: (delivery: Delivery) => Verdict | Promise<Verdict> = () => done,
  options: Partial<ConsumeOptions> = {},
) {
  const bodies: string[] = [];
  const incidents: Incident[] = [];
  const stop = new AbortController();
  const over = transport.consume(
    { name },
    async (delivery) => {
      bodies.push(Buffer.from(delivery.message.body).toString());
      return handle(delivery);
    },
    {
      ...{ concurrency: 10, prefetch: 50, order: "none", leaseMs: 30_000, returnDelayMs: 100 },
      ...{ signal: stop.signal, report: (incident) => incidents.push(incident), ...options },
    },
  );
  return {
    bodies,
    over,
    kinds: () => new Set(incidents.map(({ kind }) => kind)),
    async stop() {
      stop.abort();
      await over;
    },
  };
}
