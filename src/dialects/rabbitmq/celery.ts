import { textOf as utf8 } from "../../domain/text-of.ts";
import { fromBase64 } from "../bytes.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { pythonError } from "../error-texts.ts";
import { toJson } from "../header-json.ts";
import { countOf, isObject, type Json, type JsonObject, listOf, member, parseContainer, textOf } from "../json.ts";
import { has, type LetterView, lastText, propertyText } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { hitDeliveryLimit } from "./rabbitmq-dlx.ts";

/**
 * Celery. A task that was refused says nothing of its error: that is in the result backend alone, in an entry that knows
 * neither task nor queue. On RabbitMQ the origin is read from the broker's marks.
 */
export const celery: Dialect = { id: "celery", read };

function read(view: LetterView): Facts | null {
  if (has(view, "task") && has(view, "id") && view.letter.broker.startsWith("amqp")) return headersFacts(view);
  const key = propertyText(view, "key") ?? "";
  if (/(^|:)celery-task-meta-/.test(key)) return resultFacts(view.json());
  const body = bodyOf(view);
  return envelopeFacts(body, view) ?? protocol1Facts(body);
}

/** Protocol 2 on AMQP. */
function headersFacts(view: LetterView): Facts {
  return {
    // A worker that was killed did not get to count.
    attempts: hitDeliveryLimit(view) ? undefined : runs(countOf(lastText(view, "retries"))),
    messageId: lastText(view, "id"),
    expiresAt: isoTime(lastText(view, "expires")),
    handler: lastText(view, "task"),
  };
}

function runs(retries: number | undefined): number | undefined {
  return retries === undefined ? undefined : retries + 1;
}

function resultFacts(entry: Json | undefined): Facts | null {
  if (member(entry, "status") === undefined) return null;
  const result = member(entry, "result");
  const module = textOf(member(result, "exc_module"));
  const type = textOf(member(result, "exc_type"));
  const traceback = textOf(member(entry, "traceback"));
  const isBuiltin = module === undefined || module === "builtins";
  return {
    errorClass: type === undefined || isBuiltin ? type : `${module}.${type}`,
    errorMessage: pythonError(traceback).errorMessage ?? messageOf(member(result, "exc_message")),
    stack: traceback,
    lastFailedAt: isoTime(textOf(member(entry, "date_done"))),
    messageId: textOf(member(entry, "task_id")),
  };
}

/** The arguments of the exception: one is its text, and several are no sentence. */
function messageOf(message: Json | undefined): string | undefined {
  return Array.isArray(message) ? textOf(listOf(message)[0]) : textOf(message);
}

/** What kombu puts a task into where the broker has no headers, plain or in base64 as a whole; Redis keeps it in a list. */
function bodyOf(view: LetterView): Json | undefined {
  const body = view.json() ?? toJson(view.properties.get("element")) ?? unacked(view) ?? decoded(view.text());
  const first = listOf(body)[0];
  return member(first, "headers") === undefined ? body : first;
}

/** What a killed worker left: a field of a hash for each message. */
function unacked(view: LetterView): Json | undefined {
  const hash = toJson(view.properties.get("hash"));
  const fields = isObject(hash) && isUnacked(view) ? Object.values(hash) : [];
  return fields.length === 1 ? parseContainer(textOf(fields[0]) ?? "") : undefined;
}

function isUnacked(view: LetterView): boolean {
  return propertyText(view, "key") === "unacked";
}

function decoded(text: string | null): Json | undefined {
  if (text === null || !text.startsWith("eyJ")) return undefined;
  const bytes = fromBase64(text);
  return bytes === undefined ? undefined : parseContainer(utf8(bytes) ?? "");
}

function envelopeFacts(envelope: Json | undefined, view: LetterView): Facts | null {
  const headers = member(envelope, "headers");
  const properties = member(envelope, "properties");
  if (!isTask(headers) || !isObject(properties)) return null;
  // SQS names the queue itself, with whatever prefix it has there.
  const isNamed = propertyText(view, "DeadLetterQueueSourceArn") !== undefined;
  const queue = isNamed ? undefined : textOf(member(properties, "delivery_info", "routing_key"));
  return {
    source: queue,
    // SQS counts receives itself, and a task that came back by its time-out has still no retries behind it.
    attempts: view.letter.broker === "sqs" || isUnacked(view) ? undefined : runs(countOf(member(headers, "retries"))),
    messageId: textOf(member(headers, "id")),
    expiresAt: isoTime(textOf(member(headers, "expires"))),
    handler: textOf(member(headers, "task")),
    payload: fromBase64(textOf(member(envelope, "body")) ?? ""),
    contentType: textOf(member(envelope, "content-type")),
    destination: queue,
  };
}

function isTask(headers: Json | undefined): headers is JsonObject {
  return typeof member(headers, "task") === "string" && typeof member(headers, "id") === "string";
}

/** Protocol 1: no headers, all in the body. */
function protocol1Facts(body: Json | undefined): Facts | null {
  if (!isTask(body) || !["args", "kwargs", "retries"].every((name) => Object.hasOwn(body, name))) return null;
  return {
    attempts: runs(countOf(member(body, "retries"))),
    messageId: textOf(member(body, "id")),
    expiresAt: isoTime(textOf(member(body, "expires"))),
    handler: textOf(member(body, "task")),
  };
}
