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
    // With retries only the last run's result is kept.
    attempts: field(view, "retries_left") === undefined && results.length > 0 ? results.length : undefined,
    lastFailedAt: endOf(last) ?? anyTime(fieldText(view, "ended_at")),
    messageId: columnText(view, "key")?.replace(/^rq:job:/, ""),
    handler: /^[\w.]+/.exec(fieldText(view, "description") ?? "")?.[0],
    destination: queue,
  };
}

/** A killed work horse leaves a sentence, and no class. */
function errorOf(traceback: string | undefined): Facts {
  const error = pythonError(traceback);
  return error.errorClass === undefined ? { errorMessage: traceback?.trimEnd() } : error;
}

function endOf(result: Json | undefined): number | undefined {
  const end = textOf(member(result, "execution_ended_at"));
  return end === undefined ? undefined : epochTime(Number(end));
}
