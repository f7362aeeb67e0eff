import { type AttemptFacts, attemptLog } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { pythonError } from "../error-texts.ts";
import { type Json, listOf, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { anyTime, epochTime } from "../times.ts";
import { column, columnText, field, fieldText, isStore } from "./job-record.ts";
import { inflated } from "./sidekiq.ts";

/** RQ. The score of its failed set is when the job expires, not when it failed; arguments are pickled and stay so. */
export const rq: Dialect = { id: "rq", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "rq")) return null;
  const results = listOf(column(view, "results"));
  const last = results.at(-1);
  const traceback = inflated(textOf(member(last, "exc_string")) ?? "") ?? fieldText(view, "exc_info");
  const queue = fieldText(view, "origin");
  return {
    source: queue,
    ...errorOf(traceback),
    stack: traceback,
    attemptLog: attemptLog(results.map((result, index) => attemptIn(result, results[index - 1]))),
    // With retries only the last run's result is kept.
    attempts: field(view, "retries_left") === undefined && results.length > 0 ? results.length : undefined,
    lastFailedAt: endOf(last) ?? anyTime(fieldText(view, "ended_at")),
    messageId: columnText(view, "key")?.replace(/^rq:job:/, ""),
    process: fieldText(view, "worker_name"),
    handler: /^[\w.]+/.exec(fieldText(view, "description") ?? "")?.[0],
    destination: queue,
  };
}

function attemptIn(result: Json, before: Json | undefined): AttemptFacts {
  const { errorClass, errorMessage } = errorOf(inflated(textOf(member(result, "exc_string")) ?? ""));
  const [began, ended] = [timeIn(result, "execution_started_at"), timeIn(before, "execution_ended_at")];
  return {
    ...{ at: endOf(result), process: textOf(member(result, "worker_name")), errorClass, errorMessage },
    waitMs: began === undefined || ended === undefined ? undefined : Math.max(0, began - ended),
  };
}

/** A killed work horse leaves a sentence, and no class. */
function errorOf(traceback: string | undefined): Facts {
  const error = pythonError(traceback);
  return error.errorClass === undefined ? { errorMessage: traceback?.trimEnd() } : error;
}

function endOf(result: Json | undefined): number | undefined {
  return timeIn(result, "execution_ended_at");
}

function timeIn(result: Json | undefined, name: string): number | undefined {
  const time = textOf(member(result, name));
  return time === undefined ? undefined : epochTime(Number(time));
}
