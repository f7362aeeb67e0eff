import { toJson } from "../header-json.ts";
import { type Json, jsonText, parseContainer, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";

/** A column of a job's row, or a member of its key. */
export function column(view: LetterView, name: string): Json | undefined {
  return toJson(view.properties.get(name));
}

export function columnText(view: LetterView, name: string): string | undefined {
  return textOf(column(view, name));
}

/** A column that holds JSON, whether the store's client parsed it or not. */
export function jsonColumn(view: LetterView, name: string): Json | undefined {
  const value = column(view, name);
  return typeof value === "string" ? parseContainer(value) : value;
}

/** A field of a hash in Redis. */
export function field(view: LetterView, name: string): Json | undefined {
  const hash = view.properties.get("hash");
  return hash?.type === "table" ? toJson(hash.value.find((header) => header.name === name)?.value) : undefined;
}

export function fieldBytes(view: LetterView, name: string): Uint8Array | undefined {
  const hash = view.properties.get("hash");
  const value = hash?.type === "table" ? hash.value.find((header) => header.name === name)?.value : undefined;
  if (value?.type === "bytes") return value.value;
  return value?.type === "text" ? encoder.encode(value.value) : undefined;
}

export function fieldText(view: LetterView, name: string): string | undefined {
  return textOf(field(view, name));
}

/** What a job was given, as bytes: text as it is, anything else as JSON. */
export function payloadOf(value: Json | undefined): Uint8Array | undefined {
  if (value === undefined || value === null) return undefined;
  return encoder.encode(typeof value === "string" ? value : jsonText(value));
}

const encoder = new TextEncoder();

/** The store's table is one of these, whatever schema it is in. */
export function isTable(view: LetterView, name: string): boolean {
  const table = columnText(view, "table");
  return table === name || table?.endsWith(`.${name}`) === true;
}

/** The letter comes from this framework's store; its notation says so, or whoever drained it. */
export function isStore(view: LetterView, ...brokers: readonly string[]): boolean {
  return brokers.includes(view.letter.broker);
}
