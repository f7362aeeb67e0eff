import { type AttemptFacts, attemptLog } from "../attempt-log.ts";
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
    attemptLog: attemptLog(attemptsIn(events)),
    firstFailedAt: failures[0],
    lastFailedAt: failures.at(-1),
    payload: payloadOf(column(view, "args")),
    messageId: columnText(view, "id"),
    handler: columnText(view, "task_name"),
    destination: queue,
  };
}

/** From each start to the failure that follows it, and from that to the next start. */
function attemptsIn(events: readonly Json[]): readonly AttemptFacts[] {
  const attempts: AttemptFacts[] = [];
  let failedAt: number | undefined;
  for (const event of events) {
    const at = timeOf(event);
    const type = textOf(member(event, "type"));
    if (type === "started") {
      const waitMs = at === undefined || failedAt === undefined ? undefined : Math.max(0, at - failedAt);
      attempts.push({ n: attempts.length + 1, at, waitMs });
    } else if (type === "failed" || type === "deferred_for_retry") {
      attempts.push({ ...attempts.pop(), at });
      failedAt = at;
    }
  }
  return attempts;
}

function timeOf(event: Json): number | undefined {
  return isoTime(textOf(member(event, "at")));
}
