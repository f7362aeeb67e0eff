import { toHeaderValue } from "../dialects/header-json.ts";
import type { Json } from "../dialects/json.ts";
import type { Header, HeaderValue, Message } from "../domain/message.ts";
import { textOf as utf8 } from "../domain/text-of.ts";

/** Of one value, in characters or bytes, and of one list or table, in entries: what is beyond is cut. */
const most = { text: 65_536, bytes: 65_536, entries: 1_000 } as const;

/** A column or member, as JSON has it. */
export function property(name: string, json: Json): Header {
  return { name, value: capped(toHeaderValue(json)) };
}

/** What failed last stands at an end: of a text the middle goes, of a list what is oldest. */
function capped(value: HeaderValue): HeaderValue {
  if (value.type === "text") return { type: "text", value: withoutMiddle(value.value) };
  if (value.type === "bytes") return { type: "bytes", value: value.value.subarray(0, most.bytes) };
  if (value.type === "list") return { type: "list", value: value.value.slice(-most.entries).map(capped) };
  if (value.type !== "table") return value;
  const entries = value.value.slice(0, most.entries);
  return { type: "table", value: entries.map((each) => ({ name: each.name, value: capped(each.value) })) };
}

function withoutMiddle(text: string): string {
  if (text.length <= most.text) return text;
  const half = most.text / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}

/** A hash of Redis, without those fields that are kept elsewhere. */
export function hashProperty(fields: ReadonlyMap<string, Buffer>, ...without: readonly string[]): Header {
  const kept = [...fields].filter(([name]) => !without.includes(name));
  return {
    name: "hash",
    value: capped({ type: "table", value: kept.map(([name, value]) => ({ name, value: textOrBytes(value) })) }),
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

/** A text in a column of a job's row. */
export function columnOf({ properties }: Message, name: string): string | undefined {
  const value = properties.find((each) => each.name === name)?.value;
  return value?.type === "text" ? value.value : undefined;
}

/** A whole number in a column of a job's row; 0 where it is none. */
export function numberOf({ properties }: Message, name: string): number {
  const value = properties.find((each) => each.name === name)?.value;
  return value?.type === "integer" ? Number(value.value) : 0;
}
