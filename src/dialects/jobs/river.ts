import { attemptLog } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { countOf, type Json, listOf, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { column, columnText, isStore, isTable, jsonColumn, payloadOf } from "./job-record.ts";

/** River. An error's own time is when its attempt began; the row's end is when it failed. */
export const river: Dialect = { id: "river", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "river") && !isTable(view, "river_job")) return null;
  const errors = listOf(jsonColumn(view, "errors"));
  const last = errors.at(-1);
  const queue = columnText(view, "queue");
  const message = textOf(member(last, "error"));
  return {
    source: queue,
    errorMessage: message,
    stack: textOf(member(last, "trace")) || undefined,
    // An unknown kind is counted as an attempt, though there is no handler to run.
    attempts: /^job kind is not registered/.test(message ?? "") ? 0 : countOf(column(view, "attempt")),
    attemptLog: attemptLog(attemptsIn(errors, listOf(jsonColumn(view, "attempted_by")))),
    lastFailedAt: isoTime(columnText(view, "finalized_at")),
    payload: payloadOf(column(view, "args")),
    messageId: columnText(view, "id"),
    handler: columnText(view, "kind"),
    destination: queue,
  };
}

/** Who made each is known where there is one for each. */
function attemptsIn(errors: readonly Json[], by: readonly Json[]) {
  return errors.map((error, index) => ({
    n: countOf(member(error, "attempt")),
    at: isoTime(textOf(member(error, "at"))),
    process: by.length === errors.length ? textOf(by[index]) : undefined,
    errorMessage: textOf(member(error, "error")),
  }));
}
