import { randomBytes } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { headerText, makeMessage, textHeader, type Verdict } from "../../../src/domain/message.ts";
import { createConsumer } from "../../../src/runtime/consumer.ts";
import type { ConsumerEvent } from "../../../src/runtime/events.ts";
import { s3Bodies } from "../../../src/sqs.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { claimOf } from "../../../src/transports/sqs/claims.ts";
import { sqsLink, sqsTransportDefaults } from "../../../src/transports/sqs/transport.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noSqs, sqsCredentials } from "../../servers/elasticmq.ts";
import { useS3 } from "../../servers/s3.ts";
import { useSqs } from "../../servers/use-sqs.ts";
import { setup } from "./workbench.ts";

const maxMessageBytes = 20_000;
const leased = { leaseMs: 30_000, order: "none" } as const;
const hexOf = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString("hex");

describeServer("bodies that are too large for SQS", noSqs, () => {
  const sqs = useSqs();
  const s3 = useS3();
  const bodies = () => s3Bodies({ bucket: s3.bucket, prefix: "large", endpoint: s3.endpoint });
  const large = () => makeMessage({ body: randomBytes(100_000), key: "k", headers: { tenant: "eu" } });
  const openLink = (settings: Partial<typeof sqsTransportDefaults>, asGuest = false) => {
    const place = { endpoint: sqs.endpoint, credentials: sqsCredentials };
    const link = sqsLink({ ...sqsTransportDefaults, ...place, ...settings }, { asGuest });
    onTestFinished(() => link.close());
    return link;
  };

  it("reach handlers byte for byte, through a retry and among the dead letters", async () => {
    const options = { bodies: bodies(), maxMessageBytes };
    const { transport, queue, consume, deliveries, until, client } = setup(sqs.endpoint, options);
    const dead = { name: `${queue.name}-dlq` };
    const message = large();
    await transport.send(queue, message);
    const history = [textHeader("dlo-history", "[]")];
    const { stop, over } = consume(async ({ message: got }): Promise<Verdict> => {
      const headers = [...got.headers, ...history];
      if (deliveries.length === 1) return { kind: "retry", delayMs: 0, message: { ...got, headers } };
      return { kind: "dead-letter", to: dead, message: got };
    });
    await until(2);
    stop();
    await over;
    const { QueueUrl } = await client.getQueueUrl({ QueueName: dead.name });
    const { Messages = [] } = await client.receiveMessage({ QueueUrl, WaitTimeSeconds: 10, VisibilityTimeout: 0 });
    expect(Messages[0]?.Body?.length).toBeLessThan(200);
    const letters = await openLink({ bodies: bodies() }).take(dead, 1, leased);
    const bytes = [...deliveries, ...letters].map((each) => hexOf(each.message));
    expect(bytes).toEqual([hexOf(message), hexOf(message), hexOf(message)]);
    expect(letters.map(({ message: { headers, key, properties } }) => ({ headers, key, properties }))).toEqual([
      { headers: [...message.headers, ...history], key: message.key, properties: [] },
    ]);
  });

  it("are taken into an office and sent back as a reference, which its consumer follows", async () => {
    const options = { bodies: bodies(), maxMessageBytes };
    const { transport, queue, consume, deliveries, until } = setup(sqs.endpoint, options);
    const office = openLink({}, true);
    const message = large();
    await transport.send(queue, message);
    const [letter] = await office.take(queue, 1, leased);
    if (letter === undefined) throw new Error("There is one.");
    expect([claimOf(letter.message) === null, letter.message.body.length < 200]).toEqual([false, true]);
    await office.acknowledge([letter.receipt]);
    await office.send(queue, letter.message, 0, true);
    const edited = { ...letter.message, body: new Uint8Array(Buffer.from("edited")) };
    await office.send(queue, edited, 0, true);
    const { stop, over } = consume();
    await until(2);
    stop();
    await over;
    const got = deliveries.map((each) => hexOf(each.message));
    expect(got.toSorted()).toEqual([hexOf(message), hexOf(edited)].toSorted());
  });

  it("are refused where there is no place for them, with what to do", async () => {
    const { transport, queue } = setup(sqs.endpoint, { maxMessageBytes });
    const sending = transport.send(queue, large());
    await expect(sending).rejects.toMatchObject({ code: "MESSAGE_TOO_LARGE" });
    await expect(sending).rejects.toThrow("Give the transport a bucket for such bodies (`bodies`)");
  });

  it("end among the dead letters with their reference and the reason, where they are gone, and can be replayed from there", async () => {
    const { transport, queue, client } = setup(sqs.endpoint, { bodies: bodies(), maxMessageBytes });
    await transport.send(queue, large());
    const nowhere = { ...bodies(), read: async () => null };
    const consuming = setup(sqs.endpoint, { bodies: nowhere, maxMessageBytes }).transport;
    const events: ConsumerEvent[] = [];
    const consumer = createConsumer({
      ...{ transport: consuming, queue: queue.name, decode: "bytes" as const, handler: async () => {} },
      observers: [{ event: (event) => events.push(event) }],
    });
    const running = consumer.start();
    await eventually(() => expect(events.map(({ type }) => type)).toContain("dead-lettered"));
    await consumer.stop();
    await running;
    expect(events.filter(({ type }) => type === "attempt-started")).toEqual([]);
    const { QueueUrl } = await client.getQueueUrl({ QueueName: `${queue.name}-dlq` });
    const { Messages = [] } = await client.receiveMessage({ QueueUrl, WaitTimeSeconds: 10, VisibilityTimeout: 0 });
    expect(Messages.map(({ Body = "" }) => Body)).toEqual([
      expect.stringMatching(/^\{"dlo-claim":"\w{64}","bytes":100000\}$/u),
    ]);
    const [letter] = await openLink({ bodies: bodies() }).take({ name: `${queue.name}-dlq` }, 1, leased);
    expect(letter?.message.body.length).toBe(100_000);
    expect(headerText(letter?.message.headers ?? [], "dlo-reason")).toBe("unprocessable");
    expect(headerText(letter?.message.headers ?? [], "dlo-error")).toContain("the bucket has no such object");
  });

  it("are not taken for whole by a consumer that has no place to find them", async () => {
    const sender = setup(sqs.endpoint, { bodies: bodies(), maxMessageBytes });
    await sender.transport.send(sender.queue, large());
    const taken = await openLink({}).take(sender.queue, 1, leased);
    expect(taken).toMatchObject([{ unreadable: { code: "INVALID_MESSAGE" } }]);
  });
});
