import { connect } from "amqplib";
import { pause } from "../../src/domain/clock.ts";
import { type Address, makeMessage, queueName } from "../../src/domain/message.ts";
import { queueNames } from "../../src/domain/wire.ts";
import { systemClock } from "../../src/system/host.ts";
import { decodeMessage } from "../../src/transports/rabbitmq/message-codec.ts";
import { passPropertiesAsBytes } from "../../src/transports/rabbitmq/raw-frames.ts";
import { rabbitmqCapabilities, rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmqServer, type RabbitmqServer, startRabbitmq } from "../servers/rabbitmq.ts";
import { amqpFailpoints, armedAmqp } from "./armed-amqp.ts";
import type { BrokerDriver, Connection, Resting } from "./broker-driver.ts";

export const rabbitmqDriver: BrokerDriver = {
  label: "RabbitMQ",
  missing: noRabbitmqServer ?? noPostgres,
  capabilities: rabbitmqCapabilities,
  queue: (name) => ({ name }),
  failpoints: amqpFailpoints,

  async connect(url, failpoint) {
    if (failpoint === undefined) return connectTo(url);
    const armed = await armedAmqp(url, failpoint);
    const { transport, close } = connectTo(armed.url);
    return {
      transport,
      async close() {
        await close();
        armed.close();
      },
    };
  },

  async start() {
    const server = await startRabbitmq();
    return {
      url: server.url,
      booksUrl: undefined,
      kill: () => server.kill(),
      start: () => server.start(),
      prepare: (queue) => prepare(server, queue),
      depth: (queue) => depthOf(server, queue),
      resting: (queue) => restingIn(server, queue),
      close: () => server.close(),
    };
  },
};

/** Impatient: that a process was stopped, or that nobody answers any more, should show within a test. */
function connectTo(url: string): Connection {
  const transport = rabbitmqTransport({ url, heartbeatMs: 1_000, answerWithinMs: 3_000 });
  return { transport, close: () => transport.close() };
}

/** The queues whose loss nothing could make good; those for delays are made under way, as they are elsewhere. */
async function prepare(server: RabbitmqServer, queue: Address): Promise<void> {
  const name = queueName(queue);
  const names = [name, queueNames.deadLetters(name), queueNames.quarantine(name, "poison")];
  const { transport, close } = connectTo(server.url);
  await Promise.all(names.map((one) => transport.send({ name: one }, makeMessage({ body: "makes the queue" }))));
  await close();
  for (const one of names) await server.manage("DELETE", `/api/queues/%2F/${encodeURIComponent(one)}/contents`);
}

interface ListedQueue {
  readonly name: string;
  readonly messages?: number;
}

/** A queue and those around it. */
async function listQueues(server: RabbitmqServer, queue: Address): Promise<readonly ListedQueue[]> {
  const name = queueName(queue);
  const totals = "disable_stats=true&enable_queue_totals=true";
  const queues = await server.manage<readonly ListedQueue[]>("GET", `/api/queues/%2F?${totals}`);
  return queues.filter((one) => one.name === name || one.name.startsWith(`${name}.`));
}

/** Each queue counts twice a second, and while a message changes queues it may be in neither count: so we look often. */
async function depthOf(server: RabbitmqServer, queue: Address): Promise<number> {
  const delayed = queueNames.retry(queueName(queue), "");
  for (let looks = 0; looks < 8; looks++) {
    const queues = await listQueues(server, queue);
    const working = queues.filter(({ name }) => name === queueName(queue) || name.startsWith(delayed));
    const depth = working.reduce((sum, { messages = 0 }) => sum + messages, 0);
    if (depth > 0) return depth;
    await pause(systemClock, 250);
  }
  return 0;
}

async function restingIn(server: RabbitmqServer, queue: Address): Promise<readonly Resting[]> {
  // Of a delay queue that a killed server forgot nothing can be read, and nothing is in it.
  const filled = (await listQueues(server, queue)).filter(({ messages = 0 }) => messages > 0);
  const model = await connect(server.url, { noDelay: true });
  passPropertiesAsBytes(model.connection);
  const channel = await model.createChannel();
  const resting: Resting[] = [];
  for (const { name } of filled) {
    for (let found = await channel.get(name); found !== false; found = await channel.get(name)) {
      const parcel = { properties: found.properties as unknown as Buffer, body: found.content };
      resting.push({ queue: name, message: decodeMessage(parcel, name, "x-delivery-count").message });
    }
  }
  // Nothing was acknowledged: all of it goes back.
  await model.close();
  return resting;
}
