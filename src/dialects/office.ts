import { wire } from "../domain/wire.ts";
import { type AttemptFacts, attemptLog } from "./attempt-log.ts";
import type { Dialect, Facts } from "./dialect.ts";
import { countOf, type Json, listOf, member, parseContainer, textOf } from "./json.ts";
import { has, type LetterView, lastText, namesLike } from "./letter-view.ts";
import { decimal, toPartition } from "./numbers.ts";
import { isoTime } from "./times.ts";

/** Our own letters: the runtime's headers, as docs/reference/wire.md has them. */
export const office: Dialect = { id: "dead-letter-office", read };

/** What a message must not carry back: its queue would take it for a letter, or count its old attempts again. */
const strip =
  /^dlo-(queue|attempt|first-failed-at|failed-at|history|error|reason|category|consumer|position|lane|letter|replay)$/;

function read(view: LetterView): Facts | null {
  const queue = lastText(view, wire.queue);
  // Without a reason they are those of a message under way, which services copy onto what they send.
  if (queue === undefined || !has(view, wire.reason) || queue === view.letter.queue) return null;
  const consumer = jsonHeader(view, wire.consumer);
  return {
    source: queue,
    destination: queue,
    strip: namesLike(view, strip),
    ...failure(jsonHeader(view, wire.error)),
    attempts: countOf(lastText(view, wire.attempt)),
    attemptLog: attemptLog(attemptsIn(listOf(jsonHeader(view, wire.history)))),
    firstFailedAt: isoTime(lastText(view, wire.firstFailedAt)),
    lastFailedAt: isoTime(lastText(view, wire.failedAt)),
    idempotencyKey: lastText(view, wire.key),
    orderingKey: lastText(view, wire.order),
    schema: lastText(view, wire.schema),
    consumer: textOf(member(consumer, "service")),
    handler: textOf(member(consumer, "handler")),
    consumerVersion: textOf(member(consumer, "version")) || undefined,
    host: textOf(member(consumer, "host")),
    process: processOf(textOf(member(consumer, "process")), textOf(member(consumer, "instance"))),
    ...placeIn(lastText(view, wire.position)),
  };
}

/** Its number, and what it calls itself. */
function processOf(id: string | undefined, instance: string | undefined): string | undefined {
  return id === undefined || instance === undefined ? (id ?? instance) : `${id} (${instance})`;
}

/** `topic/partition/offset`, `stream:sequence`, or a number alone. Other places have a name only. */
function placeIn(position: string | undefined): Facts {
  const [, partition, offset] = /^(?:[^/]+\/(\d{1,9})\/|[^:/]+:)?(\d{1,19})$/.exec(position ?? "") ?? [];
  return {
    position,
    partition: partition === undefined ? undefined : toPartition(BigInt(partition)),
    offset: decimal(offset),
  };
}

/** A mark that a message came back without a result is no attempt. */
function attemptsIn(history: readonly Json[]): readonly AttemptFacts[] {
  const attempts = history.filter((record) => member(record, "suspect") !== true);
  return attempts.map((record, index) => ({
    n: countOf(member(record, "n")),
    at: isoTime(textOf(member(record, "at"))),
    waitMs: countOf(member(attempts[index - 1], "delayMs")),
    ...consumerIn(textOf(member(record, "by")) ?? ""),
    errorClass: textOf(member(record, "class")),
    errorMessage: textOf(member(record, "message")),
    errorCode: textOf(member(record, "code")),
    httpStatus: countOf(member(record, "status")),
    outcome: outcomeOf(record),
  }));
}

/** After the last attempt nothing waits: what died of something else than its last attempt was to be tried again. */
function outcomeOf(record: Json): AttemptFacts["outcome"] {
  if (member(record, "started") === true) return "crashed";
  return member(record, "delayMs") === undefined ? undefined : "retried";
}

/** `service@version#instance`, each of which may be missing. */
function consumerIn(by: string): AttemptFacts {
  const [, consumer, version, process] = /^(.*?)(?:@([^@#]*))?(?:#([^#]*))?$/.exec(by) ?? [];
  return { consumer: consumer || undefined, version, process };
}

function failure(error: Json | undefined): Facts {
  return {
    errorClass: textOf(member(error, "class")),
    errorMessage: textOf(member(error, "message")),
    errorCode: textOf(member(error, "code")),
    httpStatus: countOf(member(error, "status")),
    stack: textOf(member(error, "stack")),
  };
}

function jsonHeader(view: LetterView, name: string): Json | undefined {
  return parseContainer(lastText(view, name) ?? "");
}
