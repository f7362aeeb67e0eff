import { wire } from "../domain/wire.ts";
import type { Dialect, Facts } from "./dialect.ts";
import { earlierError } from "./earlier-errors.ts";
import { countOf, type Json, listOf, member, parseContainer, textOf } from "./json.ts";
import { has, type LetterView, lastText, namesLike } from "./letter-view.ts";
import { isoTime } from "./times.ts";

/** Our own letters: the runtime's headers, as docs/reference/wire.md has them. */
export const office: Dialect = { id: "dead-letter-office", read };

/** What a message must not carry back: its queue would take it for a letter, or count its old attempts again. */
const strip =
  /^dlo-(queue|attempt|first-failed-at|failed-at|history|error|reason|category|consumer|lane|letter|replay)$/;

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
    earlierErrors: listOf(jsonHeader(view, wire.history)).slice(0, -1).flatMap(attemptError),
    attempts: countOf(lastText(view, wire.attempt)),
    firstFailedAt: isoTime(lastText(view, wire.firstFailedAt)),
    lastFailedAt: isoTime(lastText(view, wire.failedAt)),
    idempotencyKey: lastText(view, wire.key),
    orderingKey: lastText(view, wire.order),
    schema: lastText(view, wire.schema),
    consumer: textOf(member(consumer, "service")),
    handler: textOf(member(consumer, "handler")),
  };
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

function attemptError(attempt: Json | undefined): ReturnType<typeof earlierError> {
  return earlierError({
    errorClass: textOf(member(attempt, "class")),
    errorMessage: textOf(member(attempt, "message")),
    code: textOf(member(attempt, "code")),
  });
}

function jsonHeader(view: LetterView, name: string): Json | undefined {
  return parseContainer(lastText(view, name) ?? "");
}
