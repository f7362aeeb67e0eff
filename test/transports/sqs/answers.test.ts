import { expect, it, onTestFinished } from "vitest";
import { makeMessage, textHeader } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { fakeHost } from "../../../src/testing/fake-host.ts";
import { sqsLink, sqsTransportDefaults } from "../../../src/transports/sqs/transport.ts";
import { sqsCredentials } from "../../servers/elasticmq.ts";
import { goesWell, md5, refused, scriptedSqs } from "./scripted-sqs.ts";
import { setup } from "./workbench.ts";

const hourMs = 3_600_000;
const tooLong = "One or more parameters are invalid. Reason: Message must be shorter than 262144 bytes.";

it("sends a dead letter without its error where its queue takes less than we were told", async () => {
  const { endpoint, entries } = await scriptedSqs({
    SendMessageBatch: (input, count) =>
      count === 1 ? refused(input, "InvalidParameterValue", tooLong) : goesWell(input),
  });
  const { transport, queue } = setup(endpoint);
  const headers = [textHeader("dlo-queue", "shop"), textHeader("dlo-error", "boom"), textHeader("dlo-history", "[]")];
  await transport.send(queue, makeMessage({ body: "x", headers }));
  const sent = entries("SendMessageBatch").map(({ MessageAttributes }) => JSON.stringify(MessageAttributes));
  expect(sent.map((attributes) => attributes.includes("dlo-error"))).toEqual([true, false]);
  expect(sent[1]).toContain("dlo-queue");
});

it("says that a message is too large that has nothing to go without", async () => {
  const { endpoint, entries } = await scriptedSqs({
    SendMessageBatch: (input) => refused(input, "InvalidParameterValue", tooLong),
  });
  const { transport, queue } = setup(endpoint);
  const sending = transport.send(queue, makeMessage({ body: "x" }));
  await expect(sending).rejects.toMatchObject({ code: "MESSAGE_TOO_LARGE" });
  expect(entries("SendMessageBatch")).toHaveLength(1);
});

it("knows that nothing is ours for longer than SQS hides it, whatever lease was asked for", async () => {
  const received = { MessageId: "m", ReceiptHandle: "h", Body: "x", MD5OfBody: md5("x") };
  const { endpoint } = await scriptedSqs({ ReceiveMessage: () => ({ Messages: [received] }) });
  const host = fakeHost();
  const link = sqsLink({ ...sqsTransportDefaults, endpoint, credentials: sqsCredentials, host });
  onTestFinished(() => link.close());
  const [taken] = await link.take({ name: "orders" }, 1, { leaseMs: 24 * hourMs, order: "none" });
  if (taken === undefined) throw new Error("There is one.");
  expect(taken.receipt.leaseUntil - host.clock.now()).toBeLessThanOrEqual(12 * hourMs);
  expect(await link.extend(taken.receipt, 24 * hourMs)).toBe(true);
  expect(taken.receipt.leaseUntil - host.clock.now()).toBeLessThanOrEqual(12 * hourMs);
});

it("sends a retry to a FIFO queue under one id until there is an answer, lest it be there twice", async () => {
  const Attributes = { MessageGroupId: "k", ApproximateReceiveCount: "1" };
  const received = { MessageId: "m", ReceiptHandle: "h", Body: "x", MD5OfBody: md5("x"), Attributes };
  const { endpoint, entries } = await scriptedSqs({
    ReceiveMessage: () => ({ Messages: [received] }),
    // The client repeats it by itself, too, twice.
    SendMessageBatch: (input, count) => (count <= 3 ? null : goesWell(input)),
  });
  const link = sqsLink({ ...sqsTransportDefaults, endpoint, credentials: sqsCredentials, fifo: true });
  onTestFinished(() => link.close());
  const [taken] = await link.take({ name: "orders" }, 1, { leaseMs: 600_000, order: "none" });
  if (taken === undefined) throw new Error("There is one.");
  const retry = { ...taken.message, headers: [textHeader("dlo-attempt", "1")] };
  await expect(link.replace(taken.receipt, retry, 0)).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
  expect(await link.replace(taken.receipt, retry, 0)).toBe(true);
  const ids = new Set(entries("SendMessageBatch").map(({ MessageDeduplicationId }) => MessageDeduplicationId));
  expect([entries("SendMessageBatch").length, ids.size]).toEqual([4, 1]);
});

it("asks again by itself for what may be done twice, after a line was cut", async () => {
  const received = { MessageId: "m", ReceiptHandle: "h", Body: "x", MD5OfBody: md5("x") };
  const { endpoint, entries } = await scriptedSqs({
    ReceiveMessage: (_, count) => (count === 1 ? null : { Messages: [received] }),
    DeleteMessageBatch: (input, count) => (count === 1 ? null : goesWell(input)),
  });
  const link = sqsLink({ ...sqsTransportDefaults, endpoint, credentials: sqsCredentials });
  onTestFinished(() => link.close());
  const taken = await link.take({ name: "orders" }, 1, { leaseMs: 600_000, order: "none" });
  await link.acknowledge(taken.map(({ receipt }) => receipt));
  expect([taken.length, entries("DeleteMessageBatch").length]).toEqual([1, 2]);
});

it("sends a retry to a standard queue no second time where nobody knows of the first, and lets its message come again", async () => {
  const received = { MessageId: "m", ReceiptHandle: "h", Body: "x", MD5OfBody: md5("x") };
  const { endpoint, entries } = await scriptedSqs({
    ReceiveMessage: () => ({ Messages: [received] }),
    SendMessageBatch: () => null,
  });
  const link = sqsLink({ ...sqsTransportDefaults, endpoint, credentials: sqsCredentials });
  onTestFinished(() => link.close());
  const [taken] = await link.take({ name: "orders" }, 1, { leaseMs: 600_000, order: "none" });
  if (taken === undefined) throw new Error("There is one.");
  const retry = { ...taken.message, headers: [textHeader("dlo-attempt", "1")] };
  await expect(link.replace(taken.receipt, retry, 0)).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
  expect(await link.replace(taken.receipt, retry, 0)).toBe(false);
  expect([entries("SendMessageBatch").length, entries("DeleteMessageBatch").length]).toEqual([1, 0]);
});

it("takes nothing for sent that the answer doesn't mention", async () => {
  const { endpoint } = await scriptedSqs({ SendMessageBatch: () => ({}) });
  const { transport, queue } = setup(endpoint);
  const sending = transport.send(queue, makeMessage({ body: "x" }));
  await expect(sending).rejects.toMatchObject({ code: "UNKNOWN_ANSWER" });
});

it("reports messages that it can't read, and hands none of them over", async () => {
  const received = { MessageId: "m", Body: "x", MD5OfBody: md5("x") };
  const { endpoint } = await scriptedSqs({ ReceiveMessage: () => ({ Messages: [received] }) });
  const { consume, deliveries, incidents } = setup(endpoint);
  const consuming = consume();
  const lost = { kind: "connection-lost", error: { code: "UNKNOWN_ANSWER" } };
  await eventually(() => expect(incidents).toMatchObject([lost]));
  consuming.stop();
  await consuming.over;
  expect(deliveries).toEqual([]);
});
