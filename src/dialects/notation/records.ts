import type { DeadLetter } from "../../domain/dead-letter.ts";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { toHeaderValue } from "../header-json.ts";
import { isObject, type Json, type JsonObject, member, textOf } from "../json.ts";
import { bytesAt, bytesOf, objectAt } from "./notation-problem.ts";

/**
 * A job as its store keeps it: a row of PostgreSQL, a key of Redis, or whatever else has members. They are the letter's
 * properties, the columns of a row among them.
 */
export function readRecord(fixture: JsonObject): DeadLetter {
  const { transport, row: _, ...rest } = fixture;
  const found = ["zset", "table", "key"].flatMap((name) => textOf(member(fixture, name)) ?? []);
  return {
    broker: textOf(transport) ?? "",
    queue: found[0] ?? null,
    message: {
      body: bytesAt(fixture, bodyName(fixture)),
      headers: [],
      key: null,
      properties: [...members(rest), ...members(objectAt(fixture, "row"))],
    },
    partition: null,
    offset: null,
    timestamp: null,
    exchange: null,
    routingKey: null,
    redelivered: false,
  };
}

/** The bytes a job is made of, where its store keeps it as one value. A set's member is that where there is no other. */
function bodyName(fixture: JsonObject): string {
  return ["value", "element", "body"].find((name) => Object.hasOwn(fixture, name)) ?? "member";
}

function members(object: JsonObject): Header[] {
  return Object.entries(object).map(([name, value]) => ({ name, value: readMember(value, name) }));
}

/** Redis has bytes where others have text, in a field of a hash too. */
function readMember(value: Json | undefined, name: string): HeaderValue {
  if (typeof member(value, "hex") === "string") return { type: "bytes", value: bytesOf(value, name) };
  return isObject(value) ? { type: "table", value: members(value) } : toHeaderValue(value);
}
