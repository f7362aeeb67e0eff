import { attemptLog } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { type ErrorText, pythonError } from "../error-texts.ts";
import { countOf, isObject, type Json, member, textOf } from "../json.ts";
import { type LetterView, propertyText } from "../letter-view.ts";
import { epochTime } from "../times.ts";

/**
 * Dramatiq, on RabbitMQ or Redis. The message dies as it was queued for its last run: what it says of an error is of the
 * run before.
 */
export const dramatiq: Dialect = { id: "dramatiq", read };

const names = ["queue_name", "actor_name", "args", "kwargs", "options", "message_id", "message_timestamp"];

function read(view: LetterView): Facts | null {
  const body = view.json();
  if (!isObject(body) || !names.every((name) => Object.hasOwn(body, name))) return null;
  const queue = textOf(member(body, "queue_name"))?.replace(/\.(DQ|XQ)$/, "");
  const options = member(body, "options");
  const retries = countOf(member(options, "retries"));
  const traceback = textOf(member(options, "traceback"));
  return {
    source: queue,
    ...pythonError(traceback),
    stack: traceback,
    attempts: retries === undefined ? undefined : retries + 1,
    attemptLog: attemptLog(attemptsIn(retries, pythonError(traceback), deathOf(view))),
    lastFailedAt: deathOf(view),
    messageId: textOf(member(body, "message_id")),
    handler: textOf(member(body, "actor_name")),
    destination: queue,
  };
}

/** On Redis the score of the set is the time of death. */
function deathOf(view: LetterView): number | undefined {
  const score: Json | undefined = propertyText(view, "zset") === undefined ? undefined : propertyText(view, "score");
  return score === undefined ? undefined : epochTime(Number(score));
}

/** What the message says of an error was written after the run before the last, of which nothing is known but its time. */
function attemptsIn(retries: number | undefined, { errorClass, errorMessage }: ErrorText, diedAt: number | undefined) {
  if (retries === undefined || retries === 0 || errorClass === undefined) return [];
  return [
    { n: retries, errorClass, errorMessage },
    { n: retries + 1, at: diedAt },
  ];
}
