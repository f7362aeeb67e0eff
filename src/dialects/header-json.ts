import type { Header, HeaderValue } from "../domain/message.ts";
import { textOf as utf8 } from "../domain/text-of.ts";
import type { Json, JsonObject } from "./json.ts";
import { isObject } from "./json.ts";

/** Nobody nests so deep but to break the reader. */
const maxDepth = 64;

/** JSON as a header's value: what a job's columns and fields become, without loss. */
export function toHeaderValue(json: Json | undefined, depth = 0): HeaderValue {
  if (json === null || json === undefined || depth > maxDepth) return { type: "null", value: null };
  if (typeof json === "string") return { type: "text", value: json };
  if (typeof json === "boolean") return { type: "boolean", value: json };
  if (typeof json === "bigint") return { type: "integer", value: json };
  if (typeof json === "number") return toNumber(json);
  if (isObject(json)) return { type: "table", value: toHeaders(json, depth + 1) };
  return { type: "list", value: json.map((item) => toHeaderValue(item, depth + 1)) };
}

function toNumber(json: number): HeaderValue {
  return Number.isSafeInteger(json) ? { type: "integer", value: BigInt(json) } : { type: "double", value: json };
}

export function toHeaders(object: JsonObject, depth = 0): Header[] {
  return Object.entries(object).map(([name, value]) => ({ name, value: toHeaderValue(value, depth) }));
}

/** A header's value as JSON. Bytes that are not UTF-8 have no JSON and are undefined, as timestamps are milliseconds. */
export function toJson(value: HeaderValue | undefined, depth = 0): Json | undefined {
  if (value === undefined || depth > maxDepth) return undefined;
  switch (value.type) {
    case "bytes":
      return utf8(value.value) ?? undefined;
    case "integer":
    case "timestamp":
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : value.value;
    case "list":
      return value.value.map((item) => toJson(item, depth + 1) ?? null);
    case "table":
      return Object.fromEntries(value.value.map((header) => [header.name, toJson(header.value, depth + 1)]));
    default:
      return value.value;
  }
}
