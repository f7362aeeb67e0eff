import { toHeaderValue } from "../dialects/header-json.ts";
import type { Json } from "../dialects/json.ts";
import { utf8 } from "../dialects/letter-view.ts";
import type { Header, HeaderValue, Message } from "../domain/message.ts";

/** A column or member, as JSON has it. */
export function property(name: string, json: Json): Header {
  return { name, value: toHeaderValue(json) };
}

/** A hash of Redis, without those fields that are kept elsewhere. */
export function hashProperty(fields: ReadonlyMap<string, Buffer>, ...without: readonly string[]): Header {
  const kept = [...fields].filter(([name]) => !without.includes(name));
  return {
    name: "hash",
    value: { type: "table", value: kept.map(([name, value]) => ({ name, value: textOrBytes(value) })) },
  };
}

function textOrBytes(bytes: Buffer): HeaderValue {
  const text = utf8(bytes);
  return text === null ? { type: "bytes", value: bytes } : { type: "text", value: text };
}

/** The text of a field of a job's hash. */
export function fieldOf({ properties }: Message, name: string): string | undefined {
  const value = hashField(properties, name);
  return value?.type === "text" ? value.value : undefined;
}

/** The bytes of a field of a job's hash. */
export function bytesOf({ properties }: Message, name: string): Uint8Array | undefined {
  const value = hashField(properties, name);
  return value?.type === "bytes" ? value.value : value?.type === "text" ? Buffer.from(value.value) : undefined;
}

function hashField(properties: readonly Header[], name: string): HeaderValue | undefined {
  const hash = properties.find((each) => each.name === "hash")?.value;
  return hash?.type === "table" ? hash.value.find((each) => each.name === name)?.value : undefined;
}

/** A whole number in a column of a job's row; 0 where it is none. */
export function numberOf({ properties }: Message, name: string): number {
  const value = properties.find((each) => each.name === name)?.value;
  return value?.type === "integer" ? Number(value.value) : 0;
}
