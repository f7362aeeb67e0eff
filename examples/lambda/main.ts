/**
 * What Lambda does with the function of handler.ts, played on an SQS of one's own: receive a batch, call the function, delete what
 * it does not report, until nothing is left.
 */
import { SQS } from "@aws-sdk/client-sqs";
import { Unprocessable } from "dead-letter-office";
import { sqsTransport } from "dead-letter-office/sqs";
import { sqsFunction } from "./handler.ts";

const endpoint = process.env.SQS_ENDPOINT ?? "http://127.0.0.1:9324";
const queue = "invoices";
const sqs = new SQS({ endpoint, region: "us-east-1" });
const transport = sqsTransport({ endpoint });
let isBankAway = true;

const handler = sqsFunction({
  queue,
  transport,
  handle: async (body) => {
    const { id, cents } = JSON.parse(body) as { readonly id: number; readonly cents: number };
    if (cents <= 0) throw new Unprocessable(`invoice ${id} is of nothing`);
    if (id === 2 && isBankAway) throw Object.assign(new Error(`no bank for invoice ${id}`), { code: "ECONNREFUSED" });
    console.log(`invoice ${id}: paid`);
  },
});

const { QueueUrl } = await sqs.createQueue({ QueueName: queue });
const invoices = [250, 990, 0].map((cents, index) => ({ id: index + 1, cents }));
await sqs.sendMessageBatch({
  QueueUrl,
  Entries: invoices.map((invoice) => ({ Id: String(invoice.id), MessageBody: JSON.stringify(invoice) })),
});

for (let left = invoices.length; left > 0; ) {
  const { Messages = [] } = await sqs.receiveMessage({
    ...{ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 5, VisibilityTimeout: 1 },
    MessageSystemAttributeNames: ["All"],
  });
  const { batchItemFailures } = await handler({
    Records: Messages.map(({ MessageId = "", Body = "", Attributes = {} }) => ({
      ...{ messageId: MessageId, body: Body, attributes: Attributes },
    })),
  });
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  for (const { MessageId = "", ReceiptHandle } of Messages) {
    if (failed.has(MessageId)) continue;
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    left -= 1;
  }
  isBankAway = false;
}
await transport.close();
sqs.destroy();
