import { addressReference } from "../src/config/reference.ts";
import { idOfUuid } from "../src/domain/ids.ts";
import { type Message, makeMessage } from "../src/domain/message.ts";
import type { Transport } from "../src/transports/transport.ts";
import { openBroker, type UsedBroker } from "../test/replay/brokers.ts";
import { sqsCredentials } from "../test/servers/elasticmq.ts";
import type { BareClient } from "./bare/bare-client.ts";
import { serveSamples } from "./child-variant.ts";
import { copied, drained } from "./drain-variants.ts";
import { batches, openBenchLedger } from "./ledger-variants.ts";
import { readyMessages, refusedLetter, textHeaders } from "./replay-letters.ts";
import { openBenchOffice, replayed } from "./replay-office.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample } from "./suite.ts";

const { DLO_BENCH_POSTGRES_URL: database = "", DLO_BENCH_LETTERS, DLO_BENCH_BROKER = "{}" } = process.env;
const letters = Number(DLO_BENCH_LETTERS);
const broker = JSON.parse(DLO_BENCH_BROKER) as UsedBroker;

/** A queue made for a sample, with its dead-letter queue. */
interface Queues {
  readonly queue: string;
  readonly deadLetters: string;
  readonly transport: Transport;
}

/** Every sample has queues of its own, in a server that goes when the benchmark is over. */
async function withQueues(work: (queues: Queues) => Promise<Sample>): Promise<Sample> {
  const { transport, close } = await openBroker(broker, database);
  const queue = `bench-${process.pid}-${Math.round(performance.now())}`;
  const deadLetters = `${queue}${broker.kind === "sqs" ? "-" : "."}dlq`;
  try {
    // Whoever sends to a queue first makes it, which is not what is measured.
    await transport.send({ name: queue }, makeMessage({ body: "first" }));
    return await work({ queue, deadLetters, transport });
  } finally {
    await close();
  }
}

const fillAtOnce = 500;

/** As a consumer with the runtime leaves them. */
function deadMessages(queue: string): Message[] {
  return batches(letters).flatMap((numbers) => numbers.map((n) => refusedLetter(n, queue).message));
}

async function fill({ queue, deadLetters, transport }: Queues): Promise<void> {
  const messages = deadMessages(queue);
  for (let sent = 0; sent < messages.length; sent += fillAtOnce) {
    const part = messages.slice(sent, sent + fillAtOnce);
    await Promise.all(part.map((message) => transport.send({ name: deadLetters }, message)));
  }
}

/** As the configuration would have it. */
function sourceOf() {
  const url = addressReference(urlOf());
  const management = process.env.DLO_BENCH_RABBITMQ_API;
  const api = management === undefined ? {} : { management: addressReference(management) };
  return { name: "bench", broker: broker.kind, owner: null, queues: [], url, ...api };
}

function urlOf(): string {
  if (broker.kind === "postgres") return database;
  if (broker.kind === "kafka") return `kafka://${broker.brokers.join(",")}`;
  if (broker.kind !== "sqs") return broker.url;
  const { accessKeyId, secretAccessKey } = sqsCredentials;
  return `http://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@${new URL(broker.endpoint).host}`;
}

type Office = Awaited<ReturnType<typeof openBenchOffice>>;
let opened: Promise<Office> | undefined;

function office(): Promise<Office> {
  opened ??= openBenchOffice({ database, source: sourceOf() });
  return opened;
}

/** What `dlo drain` does. */
async function drainQueue({ ledger, pool }: Office, name: string): Promise<Sample> {
  const { transport, group } = await pool.get("bench");
  return drained({ ledger, transport, from: group === null ? { name } : { name, group } }, letters);
}

/** What was drained, sent back. */
async function replayQueue(at: Office, { queue, deadLetters }: Queues): Promise<Sample> {
  await drainQueue(at, deadLetters);
  const { database: held, at: schema } = at.ledger;
  const found = await held.query<{ id: string }>(`select id from ${schema}.letters where queue = $1`, [queue]);
  return replayed(
    at.parts,
    queue,
    found.rows.map(({ id }) => idOfUuid(id)),
  );
}

async function bareClient(): Promise<BareClient> {
  if (broker.kind === "postgres") return (await import("./bare/postgres.ts")).barePostgres(database);
  if (broker.kind === "kafka") return (await import("./bare/kafka.ts")).bareKafka(broker.brokers);
  if (broker.kind === "redis") return (await import("./bare/redis.ts")).bareRedis(broker.url);
  if (broker.kind === "nats") return (await import("./bare/nats.ts")).bareNats(broker.url);
  if (broker.kind === "sqs") return (await import("./bare/sqs.ts")).bareSqs(broker.endpoint);
  return (await import("./bare/rabbitmq.ts")).bareRabbitmq(broker.url);
}

async function withBare(work: (client: BareClient) => Promise<Sample>): Promise<Sample> {
  const client = await bareClient();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

let ledgerOfBare: ReturnType<typeof openBenchLedger> | undefined;

async function bareDrain(client: BareClient, queues: Queues): Promise<Sample> {
  ledgerOfBare ??= openBenchLedger({ url: database, connections: 2, letters }, `bare_${process.pid}`);
  const { ledger } = await ledgerOfBare;
  const messages = deadMessages(queues.queue);
  const bare = messages.map(({ body, headers }) => ({ body: Buffer.from(body), headers: textHeaders(headers) }));
  if (client.fill === undefined) await fill(queues);
  else await client.fill(queues.deadLetters, bare);
  return copied(await client.read(queues.deadLetters), ledger, letters);
}

async function bareSend(client: BareClient, queue: string): Promise<Sample> {
  const messages = readyMessages(letters, queue);
  const elapsed = stopwatch();
  await client.send(queue, messages);
  return elapsed(letters);
}

serveSamples({
  drain: () =>
    withQueues(async (queues) => {
      await fill(queues);
      return drainQueue(await office(), queues.deadLetters);
    }),
  "bare drain": () => withQueues((queues) => withBare((client) => bareDrain(client, queues))),
  replay: () =>
    withQueues(async (queues) => {
      await fill(queues);
      return replayQueue(await office(), queues);
    }),
  "bare send": () => withQueues(({ queue }) => withBare((client) => bareSend(client, queue))),
});
