import type { DeadLetter } from "../../domain/dead-letter.ts";
import { type Header, textHeader } from "../../domain/message.ts";
import { isObject, type JsonObject, jsonText, listOf, member, textOf } from "../json.ts";
import { anyTime } from "../times.ts";
import { wholeNumber } from "./kafka.ts";
import { bytesAt, objectAt } from "./notation-problem.ts";

/**
 * A message of a NATS stream; or an advisory, with the message it is about where somebody fetched it. The letter is that
 * message then, and the advisory a property of it.
 */
export function readNats(fixture: JsonObject): DeadLetter {
  const data = member(fixture, "data");
  const stored = data === undefined ? fixture : member(fixture, "fetched");
  const advisory = data === undefined ? [] : [textHeader("advisory", jsonText(data))];
  const origin = ["stream", "seq", "time"].flatMap((name) => {
    const text = textOf(member(fixture, name));
    return text === undefined ? [] : [textHeader(name, text)];
  });
  return {
    broker: "nats",
    queue: textOf(member(fixture, "subject")) ?? null,
    message: {
      body: isObject(stored) ? bytesAt(stored, "body") : new Uint8Array(0),
      headers: isObject(stored) ? readHeaders(objectAt(stored, "headers")) : [],
      key: null,
      properties: [...origin, ...advisory],
    },
    partition: null,
    offset: wholeNumber(member(fixture, "seq")) ?? null,
    timestamp: anyTime(textOf(member(fixture, "time"))) ?? null,
    exchange: null,
    routingKey: null,
    redelivered: false,
  };
}

/** Every value is a list; one that is not is a list of one. */
function readHeaders(headers: JsonObject): Header[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    (Array.isArray(values) ? listOf(values) : [values]).map((value) => textHeader(name, textOf(value) ?? "")),
  );
}
