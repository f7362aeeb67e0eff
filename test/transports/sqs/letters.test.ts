import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { readDeadLetter } from "../../../src/dialects/read-dead-letter.ts";
import { type Delivery, makeMessage, textHeader } from "../../../src/domain/message.ts";
import { foundLetter } from "../../../src/office/intake/found-letter.ts";
import { digestOf, encodeMessage } from "../../../src/office/intake/identify.ts";
import { releaseSender } from "../../../src/office/keys/send-release.ts";
import type { OpenParts } from "../../../src/sources/opened-source.ts";
import { openSqs } from "../../../src/sources/sqs-source.ts";
import { systemClock } from "../../../src/system/host.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noSqs, sqsCredentials } from "../../servers/elasticmq.ts";
import { useSqs } from "../../servers/use-sqs.ts";
import { setup } from "./workbench.ts";

describeServer("letters that SQS itself moved", noSqs, () => {
  const server = useSqs();

  async function office() {
    const { accessKeyId, secretAccessKey } = sqsCredentials;
    const url = server.endpoint.replace("//", `//${accessKeyId}:${encodeURIComponent(secretAccessKey)}@`);
    const source = await openSqs({ url, clock: systemClock } as OpenParts);
    onTestFinished(() => source.close());
    return source;
  }

  /** A queue with a redrive policy, and one message that was received too often. */
  async function deadOrder() {
    const { client } = setup(server.endpoint);
    const name = `shop-${randomUUID()}`;
    const { QueueUrl: letters = "" } = await client.createQueue({ QueueName: `${name}-letters` });
    const named = await client.getQueueAttributes({ QueueUrl: letters, AttributeNames: ["QueueArn"] });
    const policy = { deadLetterTargetArn: named.Attributes?.QueueArn, maxReceiveCount: 1 };
    const { QueueUrl = "" } = await client.createQueue({
      QueueName: name,
      Attributes: { RedrivePolicy: JSON.stringify(policy) },
    });
    await client.sendMessage({ QueueUrl, MessageBody: '{"id":1}' });
    await eventually(
      async () => {
        await client.receiveMessage({ QueueUrl, VisibilityTimeout: 0 });
        const counted = await client.getQueueAttributes({ QueueUrl: letters, AttributeNames: ["All"] });
        expect(counted.Attributes?.ApproximateNumberOfMessages).toBe("1");
      },
      { withinMs: 60_000 },
    );
    return { name, letters: `${name}-letters` };
  }

  it("release their keys by a message to the parked messages of a FIFO queue, and of no other", async () => {
    const { client } = setup(server.endpoint);
    const queue = `ledger-${randomUUID()}`;
    const source = await office();
    const send = releaseSender(async () => source);
    const place = { source: "sqs", queue, key: new TextEncoder().encode("account-7"), number: 7 };
    await client.createQueue({ QueueName: `${queue}-parked` });
    await expect(send(place)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining(`dlo keys release sqs/${queue}/7 --elsewhere`) as string,
    });
    const fifo = { QueueName: `${queue}-parked.fifo`, Attributes: { FifoQueue: "true" } };
    const { QueueUrl } = await client.createQueue(fifo);
    await send(place);
    const { Messages = [] } = await client.receiveMessage({ QueueUrl, WaitTimeSeconds: 5 });
    expect(Messages.map(({ Body }) => Body)).toEqual([expect.stringContaining("number 7")]);
  });

  it("go back to the queue of the kind that they came from, where there are both", async () => {
    const { client } = setup(server.endpoint);
    const name = `twins-${randomUUID()}`;
    await client.createQueue({ QueueName: name });
    const { QueueUrl } = await client.createQueue({ QueueName: `${name}.fifo`, Attributes: { FifoQueue: "true" } });
    const { line } = await office();
    const ofFifo = makeMessage({ body: "x", key: "k", properties: [textHeader("SequenceNumber", "1")] });
    await line(new Uint8Array(16), async () => false).send(name, ofFifo, { n: 1, intent: 1 });
    const { Messages = [] } = await client.receiveMessage({ QueueUrl, WaitTimeSeconds: 5 });
    expect(Messages.map(({ Body }) => Body)).toEqual(["x"]);
  });

  it("come with whose they are and how often they were received, and are the same letter when they come again", async () => {
    const { name, letters } = await deadOrder();
    const { transport, look, addressOf } = await office();
    const deliveries: Delivery[] = [];
    const stop = new AbortController();
    const how = { concurrency: 1, prefetch: 1, order: "none", returnDelayMs: 1_000, leaseMs: 1_000 } as const;
    const over = transport.consume(
      { name: letters },
      async (delivery) => {
        deliveries.push(delivery);
        if (deliveries.length === 1) throw new Error("the ledger is away");
        return { kind: "done" };
      },
      { ...how, signal: stop.signal },
    );
    await eventually(() => deliveries.length >= 2, { withinMs: 60_000 });
    stop.abort();
    await over;
    const common = { source: "s", broker: transport.broker, transport, session: new Uint8Array(), ordinal: 1 };
    const [first, again] = deliveries.map((delivery) => foundLetter({ ...common, delivery }));
    if (first === undefined || again === undefined) throw new Error("There are two of them.");
    expect(readDeadLetter(first.letter)).toMatchObject({ dialects: ["sqs-native"], source: name });
    expect(first.letter.timestamp).toBeGreaterThan(0);
    const identity = ({ letter, found }: typeof first) => [found, digestOf("s", letter, encodeMessage(letter.message))];
    expect(identity(again)).toEqual(identity(first));
    expect(await look(name, null)).toMatchObject({ address: { name }, keepsNextDeath: true, keepsOrder: "never" });
    expect(await addressOf(`${name}-gone`)).toBe(null);
  });
});
