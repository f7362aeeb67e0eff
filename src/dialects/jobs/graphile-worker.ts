import type { Dialect, Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isoTime, plausible } from "../times.ts";
import { column, columnText, isStore, isTable, payloadOf } from "./job-record.ts";

/** Graphile Worker. No time of failure is kept; it follows from when the next run would have been. */
export const graphileWorker: Dialect = { id: "graphile-worker", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "graphile-worker") && !isTable(view, "_private_jobs")) return null;
  const task = columnText(view, "task_identifier");
  const count = countOf(column(view, "attempts"));
  const failed = failedAt(isoTime(columnText(view, "run_at")), count);
  // Failed by hand, the count is only set to its maximum, and nothing was put off.
  const isByHand = (failed ?? 0) < (isoTime(columnText(view, "created_at")) ?? 0) - 1_000;
  return {
    source: task,
    errorMessage: columnText(view, "last_error"),
    attempts: isByHand ? undefined : count,
    lastFailedAt: isByHand ? undefined : failed,
    payload: payloadOf(column(view, "payload")),
    messageId: columnText(view, "id"),
    handler: task,
    destination: task,
  };
}

/** Each failure puts the next run off by e^attempts seconds, of at most ten attempts. */
function failedAt(runAt: number | undefined, attempts: number | undefined): number | undefined {
  if (runAt === undefined || attempts === undefined || attempts === 0) return undefined;
  return plausible(runAt - Math.exp(Math.min(attempts, 10)) * 1_000);
}
