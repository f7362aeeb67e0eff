import type { Dialect, Facts } from "../dialect.ts";
import { type Json, listOf, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { column, columnText, isStore, isTable, payloadOf } from "./job-record.ts";

/** procrastinate keeps no error; when it ran and failed is in a table of events. */
export const procrastinate: Dialect = { id: "procrastinate", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "procrastinate") && !isTable(view, "procrastinate_jobs")) return null;
  const events = listOf(column(view, "events"));
  const at = (...types: readonly string[]) =>
    events.filter((event) => types.includes(textOf(member(event, "type")) ?? "")).map(timeOf);
  const failures = at("failed", "deferred_for_retry");
  const queue = columnText(view, "queue_name");
  const runs = at("started").length;
  return {
    source: queue,
    attempts: runs === 0 ? undefined : runs,
    firstFailedAt: failures[0],
    lastFailedAt: failures.at(-1),
    payload: payloadOf(column(view, "args")),
    messageId: columnText(view, "id"),
    handler: columnText(view, "task_name"),
    destination: queue,
  };
}

function timeOf(event: Json): number | undefined {
  return isoTime(textOf(member(event, "at")));
}
