import type { DeadLetter } from "../../domain/dead-letter.ts";
import type { Header } from "../../domain/message.ts";
import { countOf, isList, isObject, type Json, type JsonObject, member, textOf } from "../json.ts";
import { bytesAt, bytesOf, NotationProblem } from "./notation-problem.ts";

/** A Kafka record: headers are an ordered list, and bytes whatever they are written as. */
export function readKafka(fixture: JsonObject): DeadLetter {
  const headers = member(fixture, "headers") ?? [];
  if (!isList(headers)) throw new NotationProblem("must be a list, for order and repetition matter", ["headers"]);
  const key = member(fixture, "key") ?? null;
  return {
    broker: "kafka",
    queue: textOf(member(fixture, "topic")) ?? null,
    message: {
      body: bytesAt(fixture, "value"),
      headers: headers.map(readHeader),
      key: key === null ? null : bytesOf(key, "key"),
      properties: [],
    },
    partition: countOf(member(fixture, "partition")) ?? null,
    offset: wholeNumber(member(fixture, "offset")) ?? null,
    timestamp: countOf(member(fixture, "timestamp")) ?? null,
    exchange: null,
    routingKey: null,
    redelivered: false,
  };
}

function readHeader(header: Json, index: number): Header {
  const at = `headers[${index}]`;
  if (!isObject(header)) throw new NotationProblem("must be an object", [at]);
  const name = member(header, "k");
  if (typeof name !== "string") throw new NotationProblem("must be text", [at, "k"]);
  if (member(header, "null") === true) return { name, value: { type: "null", value: null } };
  return { name, value: { type: "bytes", value: bytesOf(header, at) } };
}

/** An integer of any size, also where it is written as text. */
export function wholeNumber(value: Json | undefined): bigint | undefined {
  if (typeof value === "bigint") return value;
  const text = textOf(value);
  return text !== undefined && /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}
