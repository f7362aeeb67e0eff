import { attemptLog } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import type { ErrorText } from "../error-texts.ts";
import { countOf, type Json, listOf, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { column, columnText, isStore, isTable, jsonColumn, payloadOf } from "./job-record.ts";

/** Oban: the errors of all attempts in the row. */
export const oban: Dialect = { id: "oban", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "oban") && !isTable(view, "oban_jobs")) return null;
  const errors = listOf(jsonColumn(view, "errors"));
  const text = textOf(member(errors.at(-1), "error"));
  const queue = columnText(view, "queue");
  const ended = columnText(view, "discarded_at") ?? columnText(view, "cancelled_at");
  return {
    source: queue,
    ...elixirError(text),
    stack: text,
    attempts: countOf(column(view, "attempt")),
    attemptLog: attemptLog(errors.map(attemptIn)),
    firstFailedAt: errors.length === 0 ? undefined : isoTime(textOf(member(errors[0], "at"))),
    lastFailedAt: isoTime(textOf(member(errors.at(-1), "at"))) ?? isoTime(ended),
    payload: payloadOf(column(view, "args")),
    messageId: columnText(view, "id"),
    handler: columnText(view, "worker"),
    destination: queue,
  };
}

function attemptIn(error: Json) {
  const { errorClass, errorMessage } = elixirError(textOf(member(error, "error")));
  return {
    ...{ n: countOf(member(error, "attempt")), at: isoTime(textOf(member(error, "at"))), errorClass, errorMessage },
  };
}

/** `** (Module.Error) message`, then the frames, indented. */
function elixirError(text: string | undefined): ErrorText {
  const found = /^\*\* \(([\w.]+)\) ([\s\S]*?)(?:\n {4}|$)/.exec(text ?? "");
  return found === null ? { errorMessage: text } : { errorClass: found[1], errorMessage: found[2] };
}
