import { attemptLog, numbered } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { v8Error } from "../error-texts.ts";
import { countOf, listOf, parseContainer, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { anyTime } from "../times.ts";
import { columnText, field, fieldText, isStore, payloadOf } from "./job-record.ts";

/** BullMQ, and Bull 4. A failed job stays in its queue; its stacks are one per failed attempt, oldest first. */
export const bullmq: Dialect = { id: "bullmq", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "bullmq", "bull")) return null;
  const queue = queueOf(columnText(view, "zset"), columnText(view, "key"));
  const reason = fieldText(view, "failedReason");
  const stacks = listOf(parseContainer(fieldText(view, "stacktrace") ?? "")).flatMap((stack) => textOf(stack) ?? []);
  const last = anyTime(fieldText(view, "finishedOn"));
  const attempts = attemptsOf(view, stacks.length, reason ?? "");
  return {
    source: queue,
    errorClass: isOfAChild(reason ?? "") ? undefined : v8Error(stacks.at(-1)).errorClass,
    // What was thrown and is no error leaves the word "null" and no stack.
    errorMessage: reason === "null" && stacks.length === 0 ? undefined : reason,
    stack: stacks.at(-1),
    attempts,
    attemptLog: attemptLog(numbered(attemptsIn(stacks, last, fieldText(view, "pb")), attempts)),
    lastFailedAt: last,
    payload: payloadOf(field(view, "data")),
    messageId: columnText(view, "key")?.split(":").at(-1),
    handler: fieldText(view, "name"),
    process: fieldText(view, "pb"),
    destination: queue,
  };
}

/** Of all but the last there is the stack alone; by whom it was run says the job. */
function attemptsIn(stacks: readonly string[], lastAt: number | undefined, lastBy: string | undefined) {
  return stacks.map((stack, index) => ({
    ...v8Error(stack),
    ...(index === stacks.length - 1 && { at: lastAt, process: lastBy }),
  }));
}

/** `<prefix>:<queue>:failed`, `<prefix>:<queue>:<id>`; the prefix and the queue may have colons of their own. */
function queueOf(zset: string | undefined, key: string | undefined): string | undefined {
  const parts = (zset ?? key ?? "").split(":");
  return parts.length < 3 ? undefined : parts.slice(1, -1).join(":");
}

/**
 * Counters are not runs: a reset starts them again while the stacks stay, a stalled job was started more often than it
 * failed, and a parent that fails with its child never ran.
 */
function attemptsOf(view: LetterView, stacks: number, reason: string): number | undefined {
  const made = countOf(fieldText(view, "atm") ?? fieldText(view, "attemptsMade"));
  const stalled = countOf(fieldText(view, "stc")) ?? 0;
  if (/^job stalled more than allowable limit/.test(reason)) return stalled > 0 ? stalled : undefined;
  if (isOfAChild(reason)) return 0;
  return made === undefined ? undefined : Math.max(made, stacks);
}

/** The parent of a flow fails with its child, and never runs. */
function isOfAChild(reason: string): boolean {
  return /^child \S+ failed$/.test(reason);
}
