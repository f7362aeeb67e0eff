import type { DeadLetter } from "../../domain/dead-letter.ts";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { toHeaderValue } from "../header-json.ts";
import { isList, isObject, type Json, type JsonObject, listOf, member, textOf } from "../json.ts";
import { wholeNumber } from "./kafka.ts";
import { bytesAt, bytesOf, NotationProblem, objectAt } from "./notation-problem.ts";

/** A RabbitMQ message as AMQP 0-9-1 carries it: headers with the tags of its field tables. */
export function readAmqp091(fixture: JsonObject): DeadLetter {
  const fields = objectAt(fixture, "fields");
  return {
    broker: "amqp-0-9-1",
    queue: textOf(member(fixture, "queue")) ?? null,
    message: {
      body: bytesAt(fixture, "body"),
      headers: readTable(objectAt(fixture, "headers"), "headers", 0),
      key: null,
      properties: readProperties(objectAt(fixture, "properties")),
    },
    partition: null,
    offset: null,
    timestamp: null,
    exchange: textOf(member(fields, "exchange")) ?? null,
    routingKey: textOf(member(fields, "routingKey")) ?? null,
    redelivered: member(fields, "redelivered") === true,
  };
}

/** An AMQP 1.0 message as an SDK shows it; its annotations are properties of the broker. */
export function readAmqp10(fixture: JsonObject): DeadLetter {
  const parts = ["properties", "messageAnnotations", "header"];
  return {
    broker: "amqp-1-0",
    queue: textOf(member(fixture, "queue") ?? member(fixture, "address")) ?? null,
    message: {
      body: bytesAt(fixture, "body"),
      headers: readPlain(objectAt(fixture, "applicationProperties")),
      key: null,
      properties: parts.flatMap((part) => readProperties(objectAt(fixture, part))),
    },
    partition: null,
    offset: null,
    timestamp: null,
    exchange: null,
    routingKey: null,
    redelivered: false,
  };
}

function readPlain(object: JsonObject): Header[] {
  return Object.entries(object).map(([name, value]) => ({ name, value: untagged(value) }));
}

/** Under the broker's names: `contentType` is `content-type`. */
function readProperties(object: JsonObject): Header[] {
  return Object.entries(object).map(([name, value]) => ({
    name: name.replace(/[a-z][A-Z]/g, (pair) => `${pair[0]}-${pair[1]?.toLowerCase()}`),
    value: readValue(value, name, 0),
  }));
}

function readTable(object: JsonObject, path: string, depth: number): Header[] {
  return Object.entries(object).map(([name, value]) => ({
    name,
    value: readValue(value, `${path}.${name}`, depth + 1),
  }));
}

const maxDepth = 32;

function readValue(value: Json | undefined, path: string, depth: number): HeaderValue {
  if (depth > maxDepth) throw new NotationProblem(`nested deeper than ${maxDepth}`, [path]);
  const tag = member(value, "t");
  return isObject(value) && typeof tag === "string" ? readTagged(tag, value, path, depth) : untagged(value);
}

function readTagged(tag: string, tagged: JsonObject, path: string, depth: number): HeaderValue {
  const value = member(tagged, "v");
  if (Object.hasOwn(tagged, "hex")) return { type: "bytes", value: bytesOf(tagged, path) };
  switch (tag) {
    case "S":
      return { type: "text", value: orRefuse(textOf(value), "text", path) };
    case "f":
    case "d":
      return { type: "double", value: Number(value) };
    case "T":
      return { type: "timestamp", value: orRefuse(wholeNumber(value), "a whole number of seconds", path) * 1_000n };
    case "t":
      return { type: "boolean", value: value === true };
    case "x":
      return { type: "bytes", value: bytesOf(value, path) };
    case "A":
      return { type: "list", value: listOf(value).map((item, at) => readValue(item, `${path}[${at}]`, depth + 1)) };
    case "F":
      return { type: "table", value: readTable(orRefuse(tableOf(value), "an object", path), path, depth) };
    case "D":
      return { type: "text", value: decimalText(value) };
    case "V":
      return { type: "null", value: null };
    default:
      return { type: "integer", value: orRefuse(wholeNumber(value), "a whole number", path) };
  }
}

function tableOf(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function orRefuse<Value>(value: Value | undefined, what: string, path: string): Value {
  if (value === undefined) throw new NotationProblem(`must be ${what}`, [path]);
  return value;
}

/** A value without a tag: what a client library made of it. */
function untagged(value: Json | undefined): HeaderValue {
  if (isList(value)) return { type: "list", value: value.map(untagged) };
  if (!isObject(value)) return toHeaderValue(value);
  const seconds = member(value, "!") === "timestamp" ? wholeNumber(member(value, "value")) : undefined;
  if (seconds !== undefined) return { type: "timestamp", value: seconds * 1_000n };
  return { type: "table", value: readPlain(value) };
}

/** `{"scale": 2, "value": 1999}` is 19.99. */
function decimalText(value: Json | undefined): string {
  const scale = Number(wholeNumber(member(value, "scale")) ?? 0n);
  const digits = String(wholeNumber(member(value, "value")) ?? 0n).padStart(Math.min(scale, 255) + 1, "0");
  return scale > 0 && scale <= 255 ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits;
}
