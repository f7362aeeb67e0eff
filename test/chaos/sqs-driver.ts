import { type Message as Received, SQS } from "@aws-sdk/client-sqs";
import type { Address, Message } from "../../src/domain/message.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import { SqsConnection } from "../../src/transports/sqs/connection.ts";
import { readQueue } from "../../src/transports/sqs/facts.ts";
import { decodeMessage } from "../../src/transports/sqs/message-codec.ts";
import { nameInUrl } from "../../src/transports/sqs/queue-names.ts";
import { asSqs, sqsCapabilities, sqsLink, sqsTransportDefaults } from "../../src/transports/sqs/transport.ts";
import { noElasticmq, sqsCredentials, startElasticmq } from "../servers/elasticmq.ts";
import { noPostgres } from "../servers/postgres.ts";
import { armedLink } from "./armed-link.ts";
import type { BrokerDriver, Resting } from "./broker-driver.ts";
import { failpointsOf } from "./failpoint.ts";

export const sqsDriver: BrokerDriver = {
  label: "SQS (ElasticMQ)",
  missing: noElasticmq ?? noPostgres,
  capabilities: sqsCapabilities,
  // A name has no spaces.
  queue: (name) => ({ name: name.replaceAll(" ", "_") }),

  /** Steps are what the transport asks of its link. Nothing is in one step with its acknowledgement: a dead letter is a send. */
  failpoints: failpointsOf({
    take: ["during", "after"],
    charge: ["before", "during", "after"],
    acknowledge: ["before", "during", "after"],
    replace: ["before", "during", "after"],
    send: ["before", "during", "after"],
  }),

  // Those who came back without a result run one at a time, and come about one a second.
  settleWithinMs: 600_000,
  // Suspects come about one a second there: it lasts long, and a machine that stands still must not make crashes of innocents.
  crowd: { orders: 100, concurrency: 5, prefetch: 10, leaseMs: 10_000 },

  async connect(url, failpoint) {
    const settings = { ...sqsTransportDefaults, ...impatient, endpoint: url, credentials: sqsCredentials };
    const transport = pullTransport(armedLink(sqsLink(settings), failpoint), { ...asSqs(settings), host: systemHost });
    return { transport, close: () => transport.close() };
  },

  async start() {
    const server = await startElasticmq({ durable: true });
    const client = new SQS({ endpoint: server.endpoint, region: "elasticmq", credentials: sqsCredentials });
    const place = { endpoint: server.endpoint, region: null, credentials: sqsCredentials };
    const connection = new SqsConnection({ ...place, answerWithinMs: 10_000, makes: true, maxAttempts: 3 });
    const depth = async ({ name }: Address) => (await readQueue(connection, name, await connection.urlOf(name))).depth;
    return {
      url: server.endpoint,
      booksUrl: undefined,
      kill: () => server.kill(),
      start: () => server.start(),
      async prepare({ name }) {
        await connection.urlOf(name);
      },
      depth,
      resting: (queue) => restingIn(client, queue, depth),
      async close() {
        client.destroy();
        await connection.close();
        await server.close();
      },
    };
  },
};

/** That a process was stopped, or that nobody answers any more, should show within a test. */
const impatient = { answerWithinMs: 10_000, waitMs: 1_000 };
/** How long what was looked at is hidden from a second look. */
const hiddenS = 60;

async function restingIn(
  client: SQS,
  { name }: Address,
  depth: (queue: Address) => Promise<number>,
): Promise<readonly Resting[]> {
  const { QueueUrls = [] } = await client.listQueues({ QueueNamePrefix: name });
  const resting: Resting[] = [];
  for (const url of QueueUrls) {
    const queue = nameInUrl(url);
    const messages = await readAll(client, url, () => depth({ name: queue }));
    // As the runtime spells it; SQS knows no dots.
    const spelled = name.replaceAll("_", " ") + queue.slice(name.length).replaceAll("-", ".");
    resting.push(...messages.map((message) => ({ queue: spelled, message })));
  }
  return resting;
}

/** Each once, also those that are delayed or in flight until now; all can be taken again afterwards. */
async function readAll(client: SQS, QueueUrl: string, depth: () => Promise<number>): Promise<readonly Message[]> {
  const found = new Map<string, Received>();
  await eventually(
    async () => {
      const { Messages = [] } = await client.receiveMessage({
        ...{ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: hiddenS },
        ...{ MessageAttributeNames: ["All"], MessageSystemAttributeNames: ["All"] },
      });
      for (const message of Messages) found.set(message.MessageId ?? "", message);
      return found.size >= (await depth());
    },
    { withinMs: 120_000 },
  );
  for (const { ReceiptHandle } of found.values()) {
    await client.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
  }
  return [...found.values()].map((message) => decodeMessage(message, { fifo: false, facts: false }).message);
}
