import { setTimeout as pause } from "node:timers/promises";
import { type Channel, type ConfirmChannel, connect } from "amqplib";
import { addressReference } from "../src/config/reference.ts";
import { publishAll } from "./bare/rabbitmq.ts";
import { serveSamples } from "./child-variant.ts";
import { readyMessages } from "./replay-letters.ts";
import { replaySampler } from "./replay-office.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample } from "./suite.ts";

const { DLO_BENCH_POSTGRES_URL: database = "", DLO_BENCH_RABBITMQ_URL: broker = "" } = process.env;
const { DLO_BENCH_RABBITMQ_API: management = "", DLO_BENCH_LETTERS } = process.env;
const letters = Number(DLO_BENCH_LETTERS);

type QueueType = "quorum" | "classic";
type Move = (queue: string, channel: ConfirmChannel, type: QueueType) => Promise<Sample>;

/** Deliveries in flight, of the shovel. */
const window = 1_000;

/** A queue with its dead-letter queue, made for it and removed. */
async function intoNewQueue(type: QueueType, move: Move): Promise<Sample> {
  const queue = `bench-${process.pid}-${performance.now()}`;
  const model = await connect(broker, { noDelay: true });
  const channel = await model.createConfirmChannel();
  for (const name of [queue, `${queue}.dlq`]) await declare(channel, name, type);
  try {
    return await move(queue, channel, type);
  } finally {
    for (const name of [queue, `${queue}.dlq`]) await channel.deleteQueue(name);
    await model.close();
  }
}

function declare(channel: Channel, queue: string, type: QueueType) {
  return channel.assertQueue(queue, { durable: true, arguments: { "x-queue-type": type } });
}

/** Publishes what was made ready before, and waits for the broker's word for each. */
const publish: Move = async (queue, channel) => {
  const messages = readyMessages(letters, queue);
  const elapsed = stopwatch();
  await publishAll(channel, queue, messages);
  return elapsed(letters);
};

/** The broker itself moves what was put into the dead-letter queue before; from the first that arrives to the last. */
const shovel: Move = async (queue, channel, type) => {
  const from = `${queue}.dlq`;
  await publishAll(channel, from, readyMessages(letters, queue));
  const parameter = `/api/parameters/shovel/%2F/${queue}`;
  const value = {
    ...{ "src-protocol": "amqp091", "src-uri": broker, "src-queue": from, "src-prefetch-count": window },
    ...{ "src-queue-args": { "x-queue-type": type }, "src-delete-after": "queue-length" },
    ...{ "dest-protocol": "amqp091", "dest-uri": broker, "dest-queue": queue, "dest-add-forward-headers": false },
    ...{ "dest-queue-args": { "x-queue-type": type }, "ack-mode": "on-confirm" },
  };
  await manage("PUT", parameter, { value });
  const first = await untilDepth(channel, queue, 1);
  const elapsed = stopwatch();
  await untilDepth(channel, queue, letters);
  return elapsed(letters - first);
};

const lookMs = 10;

/** Gives how many there were when there were enough. */
async function untilDepth(channel: Channel, queue: string, enough: number): Promise<number> {
  for (;;) {
    const { messageCount } = await channel.checkQueue(queue);
    if (messageCount >= enough) return messageCount;
    await pause(lookMs);
  }
}

async function manage(method: string, path: string, body: object): Promise<void> {
  const { username, password, origin } = new URL(management);
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}`, "content-type": "application/json" };
  const { ok, status } = await fetch(`${origin}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!ok) throw new Error(`RabbitMQ's management said ${status} to ${method} ${path}`);
}

let office: ReturnType<typeof replaySampler> | undefined;

const replay: Move = async (queue) => {
  const addresses = { url: addressReference(broker), management: addressReference(management) };
  const source = { name: "bench", broker: "rabbitmq" as const, owner: null, queues: [], ...addresses };
  office ??= replaySampler({ database, source, letters });
  return (await office)(queue);
};

const moves: Readonly<Record<string, Move>> = { replay, shovel, "bare publish loop": publish };

serveSamples(
  Object.fromEntries(
    (["quorum", "classic"] as const).flatMap((type) =>
      Object.entries(moves).map(([name, move]) => [`${name}, ${type}`, () => intoNewQueue(type, move)]),
    ),
  ),
);
