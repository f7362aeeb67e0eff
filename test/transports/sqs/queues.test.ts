import { expect, it } from "vitest";
import { done, makeMessage, textHeader } from "../../../src/domain/message.ts";
import { withRecord, writeAttemptLog } from "../../../src/runtime/attempt-log.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noSqs } from "../../servers/elasticmq.ts";
import { useSqs } from "../../servers/use-sqs.ts";
import { setup } from "./workbench.ts";

const text = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString();

describeServer("queues of SQS", noSqs, () => {
  const server = useSqs();

  it("tells those of a batch that were refused, and no others", async () => {
    const { transport, queue, consume, deliveries, until } = setup(server.endpoint);
    const sends = ["a", "x".repeat(300_000), "b"].map((body) => transport.send(queue, makeMessage({ body })));
    const outcomes = await Promise.allSettled(sends);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "MESSAGE_TOO_LARGE" } });
    consume();
    await until(2);
    expect(deliveries.map(({ message }) => text(message)).toSorted()).toEqual(["a", "b"]);
  });

  it("sends again what another program sent, though it leaves no room for retries", async () => {
    const { client, queue, consume, deliveries, until } = setup(server.endpoint, { maxMessageBytes: 10_000 });
    const { QueueUrl = "" } = await client.createQueue({ QueueName: queue.name });
    await client.sendMessage({ QueueUrl, MessageBody: "x".repeat(9_000) });
    consume(async ({ message }) => (deliveries.length > 1 ? done : { kind: "retry", delayMs: 0, message }));
    await until(2);
    expect(deliveries.map(({ redelivered }) => redelivered)).toEqual([false, false]);
  });

  it("refuses a queue that is missing where it may not make it, and says what to do", async () => {
    const { transport, queue, consume } = setup(server.endpoint, { topology: "check" });
    const missing = { code: "QUEUE_NOT_FOUND", message: expect.stringContaining('topology: "make"') as string };
    await expect(transport.send(queue, makeMessage({ body: "x" }))).rejects.toMatchObject(missing);
    await expect(consume().over).rejects.toMatchObject(missing);
  });

  it("makes a queue again that somebody deleted, and goes on", async () => {
    const { transport, client, queue, consume, until, incidents } = setup(server.endpoint);
    await transport.send(queue, makeMessage({ body: "first" }));
    consume();
    await until(1);
    const { QueueUrl = "" } = await client.getQueueUrl({ QueueName: queue.name });
    await client.deleteQueue({ QueueUrl });
    await eventually(() => incidents.some(({ kind }) => kind === "connection-restored"), { withinMs: 60_000 });
    await transport.send(queue, makeMessage({ body: "second" }));
    await until(2);
  });

  it("reads what another program sent, and a retry of it has the same attributes, with their types", async () => {
    const { transport, client, queue, consume, deliveries, until } = setup(server.endpoint);
    const { QueueUrl = "" } = await client.createQueue({ QueueName: queue.name });
    const MessageAttributes = {
      tenant: { DataType: "String", StringValue: "acme" },
      cents: { DataType: "Number", StringValue: "1250" },
      order: { DataType: "String.json", StringValue: "{}" },
    };
    await client.sendMessage({ QueueUrl, MessageBody: '{"id":1}', MessageAttributes });
    const first = consume(async ({ message }) => {
      const headers = [...message.headers, textHeader("dlo-attempt", "1")];
      return { kind: "retry", delayMs: 0, message: { ...message, headers } };
    });
    await until(2);
    first.stop();
    await first.over;
    expect(deliveries[0]?.message.headers).toContainEqual({ name: "cents", value: { type: "integer", value: 1_250n } });
    await transport.close();
    const { Messages: [sent] = [] } = await client.receiveMessage({
      ...{ QueueUrl, WaitTimeSeconds: 20, MessageAttributeNames: ["All"] },
    });
    expect([sent?.Body, sent?.MessageAttributes]).toMatchObject(['{"id":1}', MessageAttributes]);
  });

  it("has one message in hand at a time of those whose attempt is charged, lest several be blamed for a crash", async () => {
    const { transport, queue, consume, deliveries, until } = setup(server.endpoint);
    const log = withRecord(
      { attempt: 0, firstFailedAt: null, history: [] },
      { n: 1, at: "2026-01-01T00:00:00Z", started: true },
    );
    const headers = writeAttemptLog([], queue.name, log);
    for (const body of ["a", "b", "c"]) await transport.send(queue, makeMessage({ body, headers }));
    let inHand = 0;
    let most = 0;
    consume(async () => {
      inHand += 1;
      most = Math.max(most, inHand);
      await new Promise((resolve) => setTimeout(resolve, 50));
      inHand -= 1;
      return done;
    });
    await until(3);
    expect([most, deliveries.map(({ redelivered }) => redelivered)]).toEqual([1, [false, false, false]]);
  });

  it("takes no message for charged that was so in another queue, and has its headers copied", async () => {
    const { transport, queue, consume, until } = setup(server.endpoint);
    const log = withRecord(
      { attempt: 0, firstFailedAt: null, history: [] },
      { n: 1, at: "2026-01-01T00:00:00Z", started: true },
    );
    const headers = writeAttemptLog([], "shop", log);
    for (const body of ["a", "b"]) await transport.send(queue, makeMessage({ body, headers }));
    let together = () => {};
    const both = new Promise<void>((resolve) => {
      together = resolve;
    });
    consume(() => both.then(() => done), 600_000);
    await until(2);
    together();
  });

  it("hides what comes to it before its time, and then hands it over as if for the first time", async () => {
    const { transport, queue, consume, deliveries, until } = setup(server.endpoint, { fifo: true });
    await transport.send(queue, makeMessage({ body: "later", key: "k" }), { delayMs: 1_500 });
    const sentAt = Date.now();
    consume();
    await until(1);
    expect(Date.now() - sentAt).toBeGreaterThanOrEqual(1_000);
    expect([deliveries[0]?.redelivered, deliveries[0]?.deliveryCount]).toEqual([false, 1]);
  });
});
