import { Admin, Consumer, type Message, Producer } from "@platformatic/kafka";
import { done } from "../src/domain/message.ts";
import { kafkaTransport } from "../src/kafka.ts";
import { createConsumer } from "../src/runtime/consumer.ts";
import { serveSamples } from "./child-variant.ts";
import type { Sample } from "./suite.ts";
import { untilQuiet } from "./until-quiet.ts";
import { workOff } from "./work-off.ts";

const brokers = (process.env.DLO_BENCH_KAFKA_BROKERS ?? "").split(",");
const client = { clientId: "bench", bootstrapBrokers: brokers };
const messages = 100_000;
const partitions = 4;
/** Half of what is in hand is handled while the other half is being declared: with less, quick handlers wait for commits. */
const load = { concurrency: 50, prefetch: 4_000 };
const value = Buffer.alloc(1_024, "x");
const queue = { name: `bench-${process.pid}`, group: `bench-${process.pid}` };

/** Works off the queue; `handled` is to be called for each message. Returns what ends it. */
type Consume = (handled: () => void) => Promise<() => Promise<unknown>>;

let isMade = false;

/** Messages a second, from the first that was handled to the last. */
async function sample(consume: Consume): Promise<Sample> {
  await fill();
  await untilQuiet();
  return workOff((_queue, handled) => consume(handled), queue.name, messages);
}

/** As many messages as are to be handled; those of the sample before are committed. */
async function fill(): Promise<void> {
  if (!isMade) await makeTopic();
  isMade = true;
  const producer = new Producer(client);
  for (let sent = 0; sent < messages; sent += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ topic: queue.name, value },
      partition: (sent / 1_000 + (index % partitions)) % partitions,
    }));
    await producer.send({ messages: batch, acks: -1 });
  }
  await producer.close();
}

async function makeTopic(): Promise<void> {
  const admin = new Admin(client);
  // What was read long ago goes, in pieces, so that many samples do not fill a disk.
  const configs = Object.entries({ "segment.bytes": "33554432", "retention.bytes": "134217728" });
  await admin.createTopics({
    ...{ topics: [queue.name], partitions, replicas: 1 },
    configs: configs.map(([name, setting]) => ({ name, value: setting })),
  });
  await admin.close();
}

/** What every contestant awaits for each message. */
async function handle(handled: () => void): Promise<void> {
  handled();
}

/** As its authors show it, except that it fetches as much at a time as we do: with its own defaults it is far slower. */
const bareClient: Consume = async (handled) => {
  const fetching = { autocommit: false, maxBytesPerPartition: 1_048_576 };
  const consumer = new Consumer({ ...client, groupId: queue.group, ...fetching });
  const start = { mode: "committed", fallbackMode: "earliest" } as const;
  const stream = await consumer.consume({ topics: [queue.name], ...start, ...fetching });
  let committed: void | Promise<void>;
  stream.on("data", (message: Message) => {
    // It commits one after the other, each with all that was asked for meanwhile, as we do.
    void handle(handled).then(() => {
      committed = message.commit();
    });
  });
  return async () => {
    // The last one is still to be committed.
    await new Promise((resolve) => setImmediate(resolve));
    await committed;
    await consumer.close(true);
  };
};

const transportAlone: Consume = async (handled) => {
  const transport = kafkaTransport({ brokers });
  const stop = new AbortController();
  const handleAll = async () => {
    await handle(handled);
    return done;
  };
  const consumed = transport.consume(queue, handleAll, {
    ...{ ...load, order: "none", leaseMs: 60_000, returnDelayMs: 5_000 },
    signal: stop.signal,
  });
  return async () => {
    stop.abort();
    await consumed;
    await transport.close();
  };
};

const wholeRuntime: Consume = async (handled) => {
  const transport = kafkaTransport({ brokers });
  const consumer = createConsumer({ transport, queue, decode: "bytes", ...load, handler: () => handle(handled) });
  void consumer.start();
  return async () => {
    await consumer.stop();
    await transport.close();
  };
};

serveSamples({
  "@platformatic/kafka alone": () => sample(bareClient),
  "transport alone": () => sample(transportAlone),
  runtime: () => sample(wholeRuntime),
});
