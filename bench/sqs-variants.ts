import { SQS } from "@aws-sdk/client-sqs";
import { makeMessage } from "../src/domain/message.ts";
import { sqsTransport } from "../src/sqs.ts";
import { sqsCredentials } from "../test/servers/elasticmq.ts";
import { serveSamples } from "./child-variant.ts";
import type { Sample } from "./suite.ts";
import { type Consume, handle, transportAlone, wholeRuntime, workOff } from "./work-off.ts";

const endpoint = process.env.DLO_BENCH_SQS_ENDPOINT ?? "";
const messages = 2_000;
const prefetch = 100;
const atOnce = 10;
const body = Buffer.alloc(1_024, "x");

/** Messages a second, from the first that was handled to the last, from a queue made and filled for it. */
async function sample(consume: Consume): Promise<Sample> {
  const queue = `bench-${process.pid}-${Math.round(performance.now())}`;
  await fill(queue);
  const measured = await workOff(consume, queue, messages);
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

serveSamples({
  "client alone, received and deleted by ten": () => sample(bareClient),
  runtime: () => sample(wholeRuntime({ open, prefetch })),
  "transport alone": () => sample(transportAlone({ open, prefetch })),
});
