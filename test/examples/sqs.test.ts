import { SQS } from "@aws-sdk/client-sqs";
import { expect, it } from "vitest";
import { describeServer } from "../servers/describe-server.ts";
import { noSqs, sqsCredentials } from "../servers/elasticmq.ts";
import { useSqs } from "../servers/use-sqs.ts";
import { startExample } from "./start-example.ts";

const environment = {
  AWS_ACCESS_KEY_ID: sqsCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: sqsCredentials.secretAccessKey,
};

describeServer("the examples on SQS", noSqs, () => {
  const sqs = useSqs();

  it("charge what can be charged, and dead-letter the rest", async () => {
    const { ended, lines } = startExample("sqs/main.ts", [], { ...environment, SQS_ENDPOINT: sqs.endpoint });
    await ended;
    const told = lines().filter((line) => !line.startsWith("the bank is away"));
    expect(told.toSorted()).toEqual([
      "dead letter in orders.dlq: unprocessable",
      "order 1: charged 250 cents, attempt 1",
      "order 2: charged 990 cents, attempt 3",
      "order 3 died of business_rule",
    ]);
  });

  it("report to Lambda what may succeed later, and nothing else", async () => {
    const { ended, lines } = startExample("lambda/main.ts", [], { ...environment, SQS_ENDPOINT: sqs.endpoint });
    await ended;
    const told = lines().map((line) => line.replace(/^[\da-f-]{36}: /u, ""));
    expect(new Set(told)).toEqual(
      new Set([
        "invoice 1: paid",
        "no bank for invoice 2; again later",
        "invoice 2: paid",
        "invoice 3 is of nothing; a dead letter",
      ]),
    );
    const client = new SQS({ endpoint: sqs.endpoint, region: "elasticmq", credentials: sqsCredentials });
    const { QueueUrl = "" } = await client.getQueueUrl({ QueueName: "invoices-dlq" });
    const { Attributes } = await client.getQueueAttributes({ QueueUrl, AttributeNames: ["All"] });
    client.destroy();
    expect(Attributes?.ApproximateNumberOfMessages).toBe("1");
  });
});
