import type { Dialect, Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { column, columnText, isStore, isTable } from "./job-record.ts";

/** delayed_job: the text of the error and its backtrace, no class. The handler is Ruby's YAML, and is never loaded. */
export const delayedJob: Dialect = { id: "delayed-job", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "delayed_job", "delayed-job") && !isTable(view, "delayed_jobs")) return null;
  const error = columnText(view, "last_error");
  const queue = columnText(view, "queue");
  const frames = error?.search(/\n[^\n]+:\d+:in /) ?? -1;
  return {
    source: queue,
    errorMessage: frames < 0 ? error : error?.slice(0, frames),
    stack: error,
    attempts: countOf(column(view, "attempts")),
    lastFailedAt: isoTime(columnText(view, "failed_at")),
    messageId: columnText(view, "id"),
    handler: /^--- !ruby\/(?:object|struct):([\w:]+)/.exec(columnText(view, "handler") ?? "")?.[1],
    destination: queue,
  };
}
