import type { Dialect, Facts } from "../dialect.ts";
import { countOf, isObject, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { isStore, jsonColumn } from "./job-record.ts";

/** Cordum's dead-letter entries: why, and how often; what the job was given lies elsewhere. */
export const cordum: Dialect = { id: "cordum", read };

function read(view: LetterView): Facts | null {
  const entry = jsonColumn(view, "entry");
  if (!isStore(view, "cordum") || !isObject(entry)) return null;
  const topic = textOf(member(entry, "topic"));
  return {
    source: topic,
    errorClass: textOf(member(entry, "reason_code")),
    errorCode: textOf(member(entry, "reason_code")),
    errorMessage: textOf(member(entry, "reason")),
    attempts: countOf(member(entry, "attempts")),
    lastFailedAt: isoTime(textOf(member(entry, "created_at"))),
    messageId: textOf(member(entry, "job_id")),
    destination: topic,
  };
}
