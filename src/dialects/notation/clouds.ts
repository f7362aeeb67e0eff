import type { DeadLetter } from "../../domain/dead-letter.ts";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { toHeaders } from "../header-json.ts";
import { countOf, type Json, type JsonObject, member, textOf } from "../json.ts";
import { anyTime } from "../times.ts";
import { wholeNumber } from "./kafka.ts";
import { base64At, bytesAt, bytesOf, objectAt } from "./notation-problem.ts";

/** What SQS's ReceiveMessage gives. */
export function readSqs(fixture: JsonObject): DeadLetter {
  const message = objectAt(fixture, "message");
  const system = objectAt(message, "Attributes");
  const { Body: _, Attributes: __, MessageAttributes: ___, ...rest } = message;
  return {
    ...nowhere,
    broker: "sqs",
    queue: textOf(member(fixture, "queueUrl"))?.split("/").at(-1) ?? null,
    message: {
      body: bytesAt(message, "Body"),
      headers: Object.entries(objectAt(message, "MessageAttributes")).map(readSqsAttribute),
      key: keyOf(member(system, "MessageGroupId")),
      properties: toHeaders({ ...rest, ...system }),
    },
    timestamp: anyTime(textOf(member(system, "SentTimestamp"))) ?? null,
  };
}

function readSqsAttribute([name, attribute]: [string, Json | undefined]): Header {
  return { name, value: sqsValue(attribute, name) };
}

/** `DataType` is `String`, `Number` or `Binary`, each with a suffix of the sender's own after a dot. */
function sqsValue(attribute: Json | undefined, name: string): HeaderValue {
  const binary = member(attribute, "BinaryValue");
  if (typeof binary === "string") return { type: "bytes", value: base64At({ [name]: binary }, name) };
  const text = textOf(member(attribute, "StringValue")) ?? "";
  const isNumber = textOf(member(attribute, "DataType"))?.startsWith("Number") ?? false;
  const whole = isNumber ? wholeNumber(text) : undefined;
  if (whole !== undefined) return { type: "integer", value: whole };
  return isNumber ? { type: "double", value: Number(text) } : { type: "text", value: text };
}

/** A Service Bus message as its SDK shows it. */
export function readServiceBus(fixture: JsonObject): DeadLetter {
  const message = objectAt(fixture, "message");
  const { applicationProperties: _, messageAnnotations: __, body: ___, ...rest } = message;
  return {
    ...nowhere,
    broker: "servicebus",
    queue: textOf(member(fixture, "entityPath")) ?? null,
    message: {
      body: bytesAt(message, "body"),
      headers: toHeaders(objectAt(message, "applicationProperties")),
      key: keyOf(member(message, "sessionId") ?? member(message, "partitionKey")),
      properties: toHeaders({ ...rest, ...objectAt(message, "messageAnnotations") }),
    },
    offset: wholeNumber(member(message, "sequenceNumber")) ?? null,
    timestamp: anyTime(textOf(member(message, "enqueuedTimeUtc"))) ?? null,
  };
}

/** A Pub/Sub message: attributes are its headers, data is base64. */
export function readPubSub(fixture: JsonObject): DeadLetter {
  const message = objectAt(fixture, "message");
  const { attributes: _, data: __, ...rest } = message;
  return {
    ...nowhere,
    broker: "pubsub",
    queue: textOf(member(fixture, "subscription")) ?? null,
    message: {
      body: member(message, "data") === undefined ? none : base64At(message, "data"),
      headers: toHeaders(objectAt(message, "attributes")),
      key: keyOf(member(message, "orderingKey")),
      properties: toHeaders(rest),
    },
    timestamp: anyTime(textOf(member(message, "publishTime"))) ?? null,
  };
}

/** A Pulsar message: properties are its headers. */
export function readPulsar(fixture: JsonObject): DeadLetter {
  const message = objectAt(fixture, "message");
  const { properties: _, data: __, ...rest } = message;
  return {
    ...nowhere,
    broker: "pulsar",
    queue: textOf(member(fixture, "topic")) ?? null,
    message: {
      body: bytesAt(message, "data"),
      headers: toHeaders(objectAt(message, "properties")),
      key: keyOf(member(message, "key")),
      properties: toHeaders(rest),
    },
    timestamp: countOf(member(message, "publishTime")) ?? null,
  };
}

const none = new Uint8Array(0);

const nowhere = {
  partition: null,
  offset: null,
  timestamp: null,
  exchange: null,
  routingKey: null,
  redelivered: false,
} as const;

function keyOf(value: Json | undefined): Uint8Array | null {
  return typeof value === "string" ? bytesOf(value, "key") : null;
}
