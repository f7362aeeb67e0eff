import { type Message, SQS } from "@aws-sdk/client-sqs";
import { sqsCredentials } from "../../test/servers/elasticmq.ts";
import { type BareClient, type BareMessage, batchSize, inParts } from "./bare-client.ts";

/** As many as SQS takes in one request, and requests at a time. */
const [perRequest, atOnce] = [10, 10];

export async function bareSqs(endpoint: string): Promise<BareClient> {
  const client = new SQS({ endpoint, region: "us-east-1", credentials: sqsCredentials });
  const urlOf = async (queue: string) => (await client.getQueueUrl({ QueueName: queue })).QueueUrl ?? "";
  return {
    async read(queue) {
      const QueueUrl = await urlOf(queue);
      return {
        async next() {
          const batch = await received(client, QueueUrl);
          return { count: batch.length, acknowledge: () => deleteAll(client, QueueUrl, batch) };
        },
        close: async () => {},
      };
    },
    async send(queue, messages) {
      const QueueUrl = await urlOf(queue);
      await manyAtOnce(inParts(messages, perRequest), async (part) => {
        const { Failed = [] } = await client.sendMessageBatch({ QueueUrl, Entries: part.map(entryOf) });
        if (Failed.length > 0) throw new Error(`${Failed.length} were refused`);
      });
    },
    close: async () => client.destroy(),
  };
}

async function received(client: SQS, QueueUrl: string): Promise<readonly Message[]> {
  const ask = { QueueUrl, MaxNumberOfMessages: perRequest, VisibilityTimeout: 60, MessageAttributeNames: ["All"] };
  const batch: Message[] = [];
  for (let isEmpty = false; !isEmpty && batch.length + perRequest * atOnce <= batchSize; ) {
    const answers = await Promise.all(Array.from({ length: atOnce }, () => client.receiveMessage(ask)));
    const messages = answers.flatMap(({ Messages = [] }) => Messages);
    batch.push(...messages);
    isEmpty = messages.length === 0;
  }
  return batch;
}

function deleteAll(client: SQS, QueueUrl: string, messages: readonly Message[]): Promise<void> {
  return manyAtOnce(inParts(messages, perRequest), async (part) => {
    const Entries = part.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await client.deleteMessageBatch({ QueueUrl, Entries });
  });
}

/** SQS takes ten attributes: the headers go as one. */
function entryOf({ body, headers }: BareMessage, index: number) {
  const attribute = { DataType: "String", StringValue: JSON.stringify(headers) };
  return { Id: String(index), MessageBody: body.toString(), MessageAttributes: { headers: attribute } };
}

async function manyAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const loop = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
}
