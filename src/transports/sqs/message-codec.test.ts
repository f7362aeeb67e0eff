import fc from "fast-check";
import { expect, it } from "vitest";
import { type Header, makeMessage, textHeader } from "../../domain/message.ts";
import { decodeMessage, encodeMessage, type Outgoing, sizeOf } from "./message-codec.ts";
import { isSqsText } from "./sqs-text.ts";

const plain = { fifo: false, newId: () => "id-1", waitMs: 0 };

/** As SQS hands it over: with the attributes in an order of its own. */
function received({ MessageBody, MessageAttributes = {}, MessageGroupId }: Outgoing) {
  const attributes = Object.fromEntries(Object.entries(MessageAttributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...(MessageBody !== undefined && { Body: MessageBody }),
    MessageAttributes: attributes,
    Attributes: MessageGroupId === undefined ? {} : { MessageGroupId },
  };
}

const header: fc.Arbitrary<Header> = fc.record({
  name: fc.oneof(fc.constantFrom("tenant", "a.b", "dlo", "dlo-attempt", "AWS.x", "."), fc.string()),
  value: fc.oneof(
    fc.string({ unit: "binary" }).map((value) => ({ type: "text" as const, value })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ type: "integer" as const, value })),
    fc.uint8Array().map((value) => ({ type: "bytes" as const, value })),
    fc.constant({ type: "null" as const, value: null }),
  ),
});

it.each([false, true])("brings back whatever it was given, within the limits of SQS (FIFO: %s)", (fifo) => {
  const parts = fc.record({
    body: fc.oneof(fc.uint8Array(), fc.string()),
    headers: fc.array(header, { maxLength: 14 }),
    key: fc.option(fc.oneof(fc.uint8Array(), fc.string()), { nil: null }),
  });
  fc.assert(
    fc.property(parts, (given) => {
      const message = makeMessage(given);
      const outgoing = encodeMessage(message, { ...plain, fifo });
      const attributes = Object.entries(outgoing.MessageAttributes ?? {});
      expect(attributes.length).toBeLessThanOrEqual(10);
      expect(outgoing.MessageBody?.length).toBeGreaterThan(0);
      const texts = [outgoing.MessageBody ?? "", ...attributes.map(([, { StringValue }]) => StringValue ?? "x")];
      expect(texts.every((text) => text !== "" && isSqsText(text))).toBe(true);
      expect(decodeMessage(received(outgoing), { fifo, facts: false }).message).toEqual(message);
    }),
  );
});

it("leaves a plain message plain, for programs that know nothing of us", () => {
  const message = makeMessage({ body: '{"id":1}', headers: { tenant: "acme" } });
  expect(encodeMessage(message, plain)).toEqual({
    MessageBody: '{"id":1}',
    MessageAttributes: { tenant: { DataType: "String", StringValue: "acme" } },
  });
});

it("folds all headers of ours into one attribute", () => {
  const ours = ["dlo-queue", "dlo-attempt", "dlo-history"].map((name) => textHeader(name, "x"));
  const message = makeMessage({ body: "x", headers: [...ours, textHeader("tenant", "acme")] });
  expect(Object.keys(encodeMessage(message, plain).MessageAttributes ?? {})).toEqual(["tenant", "dlo"]);
});

it("sends an attribute on with the type its sender gave it", () => {
  const MessageAttributes = {
    price: { DataType: "Number.EUR", StringValue: "12.50" },
    order: { DataType: "String.json", StringValue: "{}" },
  };
  const { message } = decodeMessage({ Body: "x", MessageAttributes }, { fifo: false, facts: false });
  expect(encodeMessage(message, plain).MessageAttributes).toMatchObject(MessageAttributes);
});

it("sends what SQS said of a message not on as if it were the message's own", () => {
  const system = {
    SentTimestamp: "1",
    ApproximateReceiveCount: "4",
    DeadLetterQueueSourceArn: "arn:aws:sqs:x:1:orders",
  };
  const { message } = decodeMessage({ Body: "x", MessageId: "m", Attributes: system }, { fifo: false, facts: true });
  expect(message.properties.map(({ name }) => name)).toContain("DeadLetterQueueSourceArn");
  expect(encodeMessage(message, plain)).toEqual({ MessageBody: "x" });
});

it("never uses the deduplication id of a message again", () => {
  const Attributes = { MessageGroupId: "k", MessageDeduplicationId: "old" };
  const { message } = decodeMessage({ Body: "x", Attributes }, { fifo: true, facts: true });
  const sent = encodeMessage(message, { ...plain, fifo: true });
  expect([sent.MessageGroupId, sent.MessageDeduplicationId]).toEqual(["k", "id-1"]);
});

it("takes an attribute called dlo that is not ours for what it is", () => {
  const MessageAttributes = { dlo: { DataType: "String", StringValue: "my own" } };
  const { message } = decodeMessage({ Body: "x", MessageAttributes }, { fifo: false, facts: false });
  expect(message.headers).toEqual([textHeader("dlo", "my own")]);
  expect(decodeMessage(received(encodeMessage(message, plain)), { fifo: false, facts: false }).message).toEqual(
    message,
  );
});

it("counts bytes as SQS does: the body, and name, type and value of each attribute", () => {
  const attributes = {
    n: { DataType: "String", StringValue: "ü" },
    b: { DataType: "Binary", BinaryValue: new Uint8Array(3) },
  };
  expect(sizeOf({ MessageBody: "é", MessageAttributes: attributes })).toBe(2 + (1 + 6 + 2) + (1 + 6 + 3));
});

it("loses no header for its name", () => {
  const message = makeMessage({ body: "x", headers: [textHeader("__proto__", "p")] });
  const outgoing = encodeMessage(message, plain);
  expect(Object.keys(outgoing.MessageAttributes ?? {})).toEqual(["dlo"]);
  expect(decodeMessage(received(outgoing), { fifo: false, facts: false }).message).toEqual(message);
});
