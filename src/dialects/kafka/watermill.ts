import { fromBase64 } from "../bytes.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { countOf, isObject, type Json, type JsonObject, member, textOf } from "../json.ts";
import { firstText, type LetterView, lastText, namesLike } from "../letter-view.ts";

/** Watermill's poison queue, on any broker. Metadata is overwritten: only the latest failure is known. */
export const watermill: Dialect = { id: "watermill", read };

const strip = /^(reason_poisoned|topic_poisoned|handler_poisoned|subscriber_poisoned|_watermill_requeuer_retries)$/i;

function read(view: LetterView): Facts | null {
  const reason = lastText(view, "reason_poisoned");
  if (reason !== undefined) {
    return { ...facts((name) => lastText(view, name), view), strip: namesLike(view, strip) };
  }
  const envelope = view.letter.broker === "nats" ? enveloped(view.json()) : undefined;
  if (envelope === undefined) return null;
  const payload = fromBase64(textOf(member(envelope.body, "Payload")) ?? "");
  return {
    ...facts((name) => textOf(member(envelope.metadata, name)), view),
    payload,
    messageId: textOf(member(envelope.body, "UUID")),
    strip: Object.keys(envelope.metadata).filter((name) => strip.test(name)),
  };
}

/** The JSON marshaler for NATS sends no headers. */
function enveloped(body: Json | undefined): { readonly body: JsonObject; readonly metadata: JsonObject } | undefined {
  const metadata = member(body, "Metadata");
  const isPoisoned = isObject(body) && isObject(metadata) && Object.hasOwn(metadata, "reason_poisoned");
  return isPoisoned ? { body, metadata } : undefined;
}

function facts(text: (name: string) => string | undefined, view: LetterView): Facts {
  const retries = countOf(text("_watermill_requeuer_retries"));
  const topic = text("topic_poisoned");
  // Where messages go through an exchange, the letter did too, and its topic was one.
  const isExchange = view.letter.broker.startsWith("amqp") && (view.letter.exchange ?? "") !== "";
  return {
    source: isExchange ? undefined : topic,
    ...failure(text("reason_poisoned") ?? ""),
    attempts: retries === undefined ? undefined : retries + 1,
    lastFailedAt: view.letter.timestamp,
    handler: text("handler_poisoned"),
    messageId: text("_watermill_message_uuid") ?? firstText(view, "nats-msg-id"),
    destination: isExchange ? undefined : topic,
    via: isExchange && topic !== undefined ? { exchange: topic, routingKey: "" } : undefined,
  };
}

/** A recovered panic has its stack inside the text, and before it the value that was thrown, as Go writes it down. */
function failure(reason: string): Facts {
  const found = /^([\s\S]*?), stacktrace:\s([\s\S]*)$/.exec(reason);
  const value = /^panic occurred: ([\s\S]*)$/.exec(found?.[1] ?? "")?.[1];
  return value === undefined ? { errorMessage: reason } : { ...thrownValue(value), stack: found?.[2] };
}

/** Texts of Go's own runtime, which lose their prefix when they are written down as values. */
const runtimeError =
  /^(invalid memory address or nil pointer dereference|index out of range|slice bounds out of range|integer divide by zero|makeslice: )/;

/** `"text"`, `pkg.Type{…}` or `&pkg.Type{s:"text"}`. */
function thrownValue(value: string): Facts {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(value)?.[1];
  if (quoted !== undefined)
    return { errorMessage: (runtimeError.test(quoted) ? "runtime error: " : "") + unescaped(quoted) };
  const [, pointer, type] = /^(&?)([a-z]\w*\.\w+)\{/.exec(value) ?? [];
  const text = /\b(?:s|msg):"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  if (type === undefined) return { errorMessage: value };
  return {
    errorClass: pointer === "&" ? `*${type}` : type,
    errorMessage: text === undefined ? undefined : unescaped(text),
  };
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, "$1").replaceAll("\\n", "\n");
}
