import { textOf as utf8 } from "../../domain/text-of.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { phpError } from "../error-texts.ts";
import { member, parseContainer, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { columnText, isStore, isTable, payloadOf } from "./job-record.ts";

/** Laravel's `failed_jobs`. There is no count, and the time has no zone: the application's, which is UTC unless changed. */
export const laravel: Dialect = { id: "laravel", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "laravel") && !isTable(view, "failed_jobs")) return null;
  const payload = parseContainer(columnText(view, "payload") ?? utf8(view.letter.message.body) ?? "");
  const exception = columnText(view, "exception");
  const queue = columnText(view, "queue");
  return {
    source: queue,
    ...phpError(exception),
    stack: exception,
    lastFailedAt: isoTime(columnText(view, "failed_at")),
    payload: payloadOf(columnText(view, "payload")),
    messageId: columnText(view, "uuid") ?? textOf(member(payload, "uuid")),
    handler: textOf(member(payload, "displayName")),
    destination: queue,
  };
}
