import { SQS } from "@aws-sdk/client-sqs";
import { done, makeMessage } from "../src/domain/message.ts";
import { createConsumer } from "../src/runtime/consumer.ts";
import { sqsTransport } from "../src/sqs.ts";
import { sqsCredentials } from "../test/servers/elasticmq.ts";
import { serveSamples } from "./child-variant.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample } from "./suite.ts";

const endpoint = process.env.DLO_BENCH_SQS_ENDPOINT ?? "";
const messages = 2_000;
const prefetch = 100;
const atOnce = 10;
const body = Buffer.alloc(1_024, "x");

/** Works off a queue; `handled` is to be called for each message. Returns what ends it. */
type Consume = (queue: string, handled: () => void) => Promise<() => Promise<unknown>>;

/** Messages a second, from the first that was handled to the last, from a queue made and filled for it. */
async function sample(consume: Consume): Promise<Sample> {
  const queue = `bench-${process.pid}-${Math.round(performance.now())}`;
  await fill(queue);
  let count = 0;
  let elapsed = stopwatch();
  let over: () => void = () => {};
  const lastHandled = new Promise<void>((resolve) => {
    over = resolve;
  });
  const stop = await consume(queue, () => {
    count += 1;
    if (count === 1) elapsed = stopwatch();
    if (count === messages) over();
  });
  await lastHandled;
  const measured = elapsed(messages);
  await stop();
  return measured;
}

/** Filled by the transport: both sides find the same. */
async function fill(name: string): Promise<void> {
  const transport = open();
  const message = makeMessage({ body });
  await Promise.all(Array.from({ length: messages }, () => transport.send({ name }, message)));
  await transport.close();
}

function open() {
  return sqsTransport({ endpoint, credentials: sqsCredentials, waitMs: 1_000 });
}

/** Several loops, each of which deletes ten messages while it receives the next ten. */
const bareClient: Consume = async (name, handled) => {
  const client = new SQS({ endpoint, region: "us-east-1", credentials: sqsCredentials });
  const { QueueUrl = "" } = await client.getQueueUrl({ QueueName: name });
  const loop = async () => {
    let deleting: Promise<unknown> = Promise.resolve();
    for (;;) {
      const { Messages = [] } = await client.receiveMessage({
        ...{ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 60 },
        ...{ MessageAttributeNames: ["All"], MessageSystemAttributeNames: ["All"] },
      });
      if (Messages.length === 0) break;
      await Promise.all(Messages.map(() => handle(handled)));
      await deleting;
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      deleting = client.deleteMessageBatch({ QueueUrl, Entries });
    }
    await deleting;
  };
  const working = Promise.all(Array.from({ length: atOnce }, loop));
  return async () => {
    await working;
    client.destroy();
  };
};

/** What every contestant awaits for each message. */
async function handle(handled: () => void): Promise<void> {
  handled();
}

const transportAlone: Consume = async (name, handled) => {
  const transport = open();
  const stop = new AbortController();
  const handleAll = async () => {
    await handle(handled);
    return done;
  };
  const consumed = transport.consume({ name }, handleAll, {
    ...{ concurrency: prefetch, prefetch, order: "none", leaseMs: 60_000, returnDelayMs: 5_000 },
    signal: stop.signal,
  });
  return async () => {
    stop.abort();
    await consumed;
    await transport.close();
  };
};

const wholeRuntime: Consume = async (name, handled) => {
  const transport = open();
  const load = { concurrency: prefetch, prefetch, decode: "bytes" } as const;
  const consumer = createConsumer({ transport, queue: name, ...load, handler: () => handle(handled) });
  void consumer.start();
  return async () => {
    await consumer.stop();
    await transport.close();
  };
};

serveSamples({
  "client alone, received and deleted by ten": () => sample(bareClient),
  runtime: () => sample(wholeRuntime),
  "transport alone": () => sample(transportAlone),
});
