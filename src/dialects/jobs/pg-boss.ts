import type { Dialect, Facts } from "../dialect.ts";
import { countOf, isObject, type Json, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { column, columnText, isStore, isTable, jsonColumn, payloadOf } from "./job-record.ts";

/**
 * pg-boss. A dead letter is a new job in another queue: version 12 says where it came from and keeps the error beside
 * it, version 10 copies the error and says nothing of the origin. A failed row without such a queue is a letter too.
 */
export const pgBoss: Dialect = { id: "pg-boss", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "pg-boss") && !isTable(view, "pgboss.job")) return null;
  const isFailed = columnText(view, "state") === "failed";
  return {
    ...(isFailed ? failedRow(view) : copy(view)),
    payload: payloadOf(column(view, "data")),
    messageId: columnText(view, "id"),
  };
}

/** The second failure of a letter whose own queue had a worker is that queue's. */
function failedRow(view: LetterView): Facts {
  const origin = columnText(view, "source_name");
  const queue = columnText(view, "name");
  const here = runs(column(view, "retry_count"));
  const before = origin === undefined ? 0 : runs(column(view, "source_retry_count"));
  return {
    source: origin ?? queue,
    ...failure(jsonColumn(view, "output")),
    attempts: here === undefined || before === undefined ? undefined : here + before,
    lastFailedAt: isoTime(columnText(view, "completed_on")),
    destination: origin ?? queue,
  };
}

function copy(view: LetterView): Facts {
  const origin = columnText(view, "source_name");
  const output = jsonColumn(view, "source_output");
  return {
    source: origin,
    ...failure(isObject(output) ? output : jsonColumn(view, "output")),
    attempts: runs(column(view, "source_retry_count")),
    lastFailedAt: isoTime(columnText(view, "created_on")),
    destination: origin,
  };
}

function runs(retries: Json | undefined): number | undefined {
  const count = countOf(retries);
  return count === undefined ? undefined : count + 1;
}

/** What was thrown, serialised; what was no error, and what pg-boss says itself, is under `value`. */
function failure(output: Json | undefined): Facts {
  const value = member(output, "value");
  return {
    errorClass: textOf(member(output, "name")),
    errorMessage: textOf(member(output, "message") ?? member(value, "message") ?? value),
    errorCode: textOf(member(output, "code")),
    stack: stackOf(output),
  };
}

/** Causes are kept as objects inside; nobody's chain is longer than this. */
const longestChain = 10;

function stackOf(output: Json | undefined): string | undefined {
  const stacks: string[] = [];
  for (let error = output; isObject(error) && stacks.length < longestChain; error = member(error, "cause")) {
    const line = `${textOf(member(error, "name")) ?? "Error"}: ${textOf(member(error, "message")) ?? ""}`;
    stacks.push(textOf(member(error, "stack")) ?? line);
  }
  const hasStack = stacks.length > 1 || member(output, "stack") !== undefined;
  return hasStack ? stacks.join("\nCaused by: ") : undefined;
}
