import { randomUUID } from "node:crypto";
import { SQS } from "@aws-sdk/client-sqs";
import { expect, it, onTestFinished } from "vitest";
import { matching } from "../matching.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noSqs, sqsCredentials } from "../servers/elasticmq.ts";
import { useSqs } from "../servers/use-sqs.ts";
import { lookAtPlace } from "./looking.ts";

describeServer("doctor on SQS", noSqs, () => {
  const server = useSqs();

  function setup() {
    const client = new SQS({ endpoint: server.endpoint, region: "elasticmq", credentials: sqsCredentials });
    onTestFinished(() => client.destroy());
    const { accessKeyId, secretAccessKey } = sqsCredentials;
    const url = server.endpoint.replace("//", `//${accessKeyId}:${encodeURIComponent(secretAccessKey)}@`);
    const shop = `shop-${randomUUID()}`;
    const make = async (name: string, Attributes: Readonly<Record<string, string>> = {}) =>
      (await client.createQueue({ QueueName: `${shop}-${name}`, Attributes })).QueueUrl ?? "";
    /** Others use the same server: only what is ours. */
    const look = async () => {
      const { wiring, findings } = await lookAtPlace("sqs", { url });
      const isOurs = (name: string | null) => name?.startsWith(shop);
      return {
        queues: wiring.queues.filter(({ name }) => isOurs(name)),
        findings: findings.filter(({ queue }) => isOurs(queue)),
      };
    };
    return { client, shop, make, look, url };
  }

  it("sees queues, how much is in each, and where their redrive policies lead, and receives nothing", async () => {
    const { client, shop, make, look } = setup();
    const letters = await make("letters");
    const arn = (await client.getQueueAttributes({ QueueUrl: letters, AttributeNames: ["QueueArn"] })).Attributes
      ?.QueueArn;
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 10 });
    await make("orders", { RedrivePolicy });
    await client.sendMessage({ QueueUrl: letters, MessageBody: "x" });
    const { queues, findings } = await look();
    expect(queues).toMatchObject([
      { name: `${shop}-letters`, depth: 1 },
      {
        name: `${shop}-orders`,
        deadLettering: { via: "redrive policy, after 10 receives", targets: [`${shop}-letters`], byBroker: true },
        deliveryLimit: { deliveries: 10 },
      },
    ]);
    expect(findings.map(({ code }) => code)).toEqual(["naming.unlike"]);
    const { Messages: [message] = [] } = await client.receiveMessage({
      ...{ QueueUrl: letters, MessageSystemAttributeNames: ["ApproximateReceiveCount"] },
    });
    expect(message?.Attributes?.ApproximateReceiveCount).toBe("1");
  });

  it("finds a redrive policy that gives up before a consumer has tried as often as it may, with a command that mends it", async () => {
    const { client, shop, make, look } = setup();
    const letters = await make("orders-dlq");
    const arn = (await client.getQueueAttributes({ QueueUrl: letters, AttributeNames: ["QueueArn"] })).Attributes
      ?.QueueArn;
    const orders = await make("orders", {
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 2 }),
    });
    const { findings } = await look();
    expect(findings).toMatchObject([
      { code: "delivery_limit.low", queue: `${shop}-orders`, remedy: matching(/^aws sqs set-queue-attributes /u) },
    ]);
    const [, attributes = "{}"] = /--attributes '(.*)'$/u.exec(findings[0]?.remedy ?? "") ?? [];
    await client.setQueueAttributes({ QueueUrl: orders, Attributes: JSON.parse(attributes) as Record<string, string> });
    expect((await look()).findings).toEqual([]);
  });

  it("finds a queue without a dead-letter queue, and takes one that is called like it for its own", async () => {
    const { shop, make, look } = setup();
    await make("mails");
    expect((await look()).findings).toMatchObject([
      {
        code: "queue.no_dead_letters",
        queue: `${shop}-mails`,
        remedy: matching(/create-queue --queue-name \S+-mails-dlq/u),
      },
    ]);
    await make("mails-dlq");
    expect((await look()).findings).toEqual([]);
    expect((await look()).queues).toMatchObject([{ deadLettering: { targets: [`${shop}-mails-dlq`] } }, {}]);
  });

  it.each([
    ["nobody there", "http://u:hunter2@127.0.0.1:2", "TRANSPORT_UNAVAILABLE", /^(?!.*hunter2).*ECONNREFUSED/u],
    ["something that is no address", "hunter2", "INVALID_CONFIG", /^(?!.*hunter2)/u],
  ])("says what is wrong with %s", async (_about, url, code, message) => {
    await expect(lookAtPlace("sqs", { url })).rejects.toMatchObject({ code, message: matching(message) });
  });
});
