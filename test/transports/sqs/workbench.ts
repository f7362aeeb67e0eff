import { randomUUID } from "node:crypto";
import { SQS } from "@aws-sdk/client-sqs";
import { onTestFinished } from "vitest";
import type { Delivery, Verdict } from "../../../src/domain/message.ts";
import { done } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { type SqsTransportOptions, sqsTransport } from "../../../src/transports/sqs/transport.ts";
import type { Incident } from "../../../src/transports/transport.ts";
import { sqsCredentials } from "../../servers/elasticmq.ts";

/** The client itself, as another program would use it. */
function bareClient(endpoint: string): SQS {
  const client = new SQS({ endpoint, region: "elasticmq", credentials: sqsCredentials });
  onTestFinished(() => client.destroy());
  return client;
}

/** A transport, and the bare client beside it, with a queue of one's own. */
export function setup(endpoint: string, options: SqsTransportOptions = {}) {
  const transport = sqsTransport({ endpoint, credentials: sqsCredentials, waitMs: 1_000, ...options });
  onTestFinished(() => transport.close());
  const queue = { name: `orders-${randomUUID()}` };
  const deliveries: Delivery[] = [];
  const incidents: Incident[] = [];
  const consume = (handle: (delivery: Delivery) => Promise<Verdict> = async () => done, leaseMs = 30_000) => {
    const stop = new AbortController();
    const how = { concurrency: 5, prefetch: 10, order: "none", returnDelayMs: 1_000, leaseMs } as const;
    const report = (incident: Incident) => incidents.push(incident);
    const over = transport.consume(
      queue,
      (delivery) => {
        deliveries.push(delivery);
        return handle(delivery);
      },
      { ...how, report, signal: stop.signal },
    );
    return { over, stop: () => stop.abort() };
  };
  const until = (count: number) => eventually(() => deliveries.length >= count, { withinMs: 60_000 });
  return { transport, client: bareClient(endpoint), queue, consume, deliveries, incidents, until };
}
