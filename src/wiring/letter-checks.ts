import { durationMs, showAge } from "../domain/duration.ts";
import type { Check, Found } from "./finding.ts";
import { rolesOf, wiringOf } from "./roles.ts";
import type { WiredQueue, Wiring } from "./wiring.ts";

/** Kept for less than this, letters are gone before somebody is back from a holiday. */
const leastRetentionMs = durationMs("14d");

/** Whether letters stay where they are kept. */
export const letterChecks: readonly Check[] = [
  {
    code: "letters.expiring",
    severity: "error",
    about: "the oldest dead letter has reached the age at which the broker deletes: letters are being lost now",
    remedy: "Raise the retention at once, then drain the queue.",
    find: (wiring) =>
      lettersOf(wiring).flatMap((queue) => {
        const { retentionMs } = queue.keeping;
        if (retentionMs === null || queue.oldestAgeMs === null || queue.oldestAgeMs < retentionMs) return [];
        const ages = `after ${showAge(retentionMs)}, and its oldest is ${showAge(queue.oldestAgeMs)} old`;
        return [{ queue, sentence: `\`${queue.name}\` deletes letters ${ages}.` }];
      }),
  },
  {
    code: "letters.retention",
    severity: "warning",
    about: `dead letters are deleted after a time, and that is shorter than ${showAge(leastRetentionMs)}`,
    remedy: "Raise the retention, or drain the queue into the ledger.",
    find: (wiring) =>
      lettersOf(wiring).flatMap((queue) => {
        const { retentionMs } = queue.keeping;
        const isExpiring = retentionMs !== null && queue.oldestAgeMs !== null && queue.oldestAgeMs >= retentionMs;
        if (retentionMs === null || retentionMs >= leastRetentionMs || isExpiring) return [];
        return [{ queue, sentence: `\`${queue.name}\` deletes letters after ${showAge(retentionMs)}.` }];
      }),
  },
  {
    code: "letters.queue_expires",
    severity: "error",
    about: "the broker deletes the dead-letter queue itself, with all that is in it, when nobody uses it for a while",
    remedy: "Make it without an expiry.",
    find: (wiring) =>
      lettersOf(wiring).flatMap((queue) => {
        const { expiresMs } = queue.keeping;
        if (expiresMs === null) return [];
        return [
          { queue, sentence: `\`${queue.name}\` is deleted with its letters after ${showAge(expiresMs)} unused.` },
        ];
      }),
  },
  {
    code: "letters.compacted",
    severity: "error",
    about:
      "the dead-letter topic is compacted: a letter replaces the earlier one of its key, and one without a key is refused",
    remedy: "Set its clean-up policy to delete, with a long retention.",
    find: (wiring) =>
      lettersOf(wiring)
        .filter(({ keeping }) => keeping.isCompacted)
        .map((queue) => ({
          queue,
          sentence: `\`${queue.name}\` is compacted: of each key only the last letter stays.`,
        })),
  },
  {
    code: "letters.overflow",
    severity: "warning",
    about: "the dead-letter queue has a limit, and beyond it the oldest letters are deleted",
    remedy: "Lift the limit, or drain the queue into the ledger.",
    find: (wiring) =>
      lettersOf(wiring)
        .filter(({ keeping }) => keeping.dropsBeyond !== null)
        .map((queue) => ({
          queue,
          sentence: `\`${queue.name}\` deletes its oldest letters beyond ${queue.keeping.dropsBeyond}.`,
        })),
  },
];

/** What it deletes goes nowhere else. */
function lettersOf(wiring: Wiring): WiredQueue[] {
  const roles = rolesOf(wiring);
  return wiring.queues.filter((queue) => roles.get(queue.name) === "letters" && wiringOf(queue) === null);
}

/** What may not be seen, and what need not be allowed. */
export const rightsChecks: readonly Check[] = [
  {
    code: "rights.missing",
    severity: "warning",
    about: "something may not be looked at, so that what is wrong with it is not found",
    remedy: "Grant the right to read it.",
    find: ({ gaps }) => gaps.filter(({ kind }) => kind === "missing").map(asFound),
  },
  {
    code: "rights.needless",
    severity: "note",
    about: "the account may do more than the office needs",
    remedy: "Use an account of its own with less rights.",
    find: ({ gaps }) => gaps.filter(({ kind }) => kind === "needless").map(asFound),
  },
];

function asFound({ sentence, remedy }: Wiring["gaps"][number]): Found {
  return { queue: null, sentence, remedy };
}
