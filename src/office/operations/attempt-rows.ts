import { z } from "zod";
import type { AttemptReading } from "../../domain/dead-letter.ts";
import type { LetterSummary } from "../../ledger/search/find-letters.ts";

const text = z.string().nullable();

/** One run of the handler before the letter was given up. Null is "the letter does not say". */
export const attemptRow = z.object({
  /** Counts from 1. */
  n: z.number().nullable(),
  /** When it failed or, where that alone is known, began. */
  at: text,
  /** How long the message waited before it. */
  waitMs: z.number().nullable(),
  /** The service, its version, and which of its instances or workers. */
  consumer: text,
  version: text,
  process: text,
  errorClass: text,
  errorMessage: text,
  errorCode: text,
  httpStatus: z.number().nullable(),
  outcome: z.enum(["retried", "crashed", "dead_lettered"]),
});

export type AttemptRow = z.output<typeof attemptRow>;

const nothingKnown: AttemptReading = {
  ...{ n: null, at: null, waitMs: null, consumer: null, version: null, process: null },
  ...{ errorClass: null, errorMessage: null, errorCode: null, httpStatus: null, outcome: "retried" },
};

/** What a letter says of its attempts, in order; where it tells of none by itself, its first and its last failure. */
export function attemptRows(reading: unknown, summary: LetterSummary): AttemptRow[] {
  const { attemptLog, httpStatus = null } = (reading ?? {}) as AttemptsSaid;
  if (summary.attempts === 0) return [];
  const told = attemptLog ?? [];
  const { failedAt, failedAtBy, firstFailedAt, attempts } = summary;
  const rows = (told.length === 0 ? [{ ...nothingKnown, n: attempts, outcome: "dead_lettered" as const }] : told).map(
    shown,
  );
  const last = rows.at(-1);
  const isErrorTold = told.some(({ errorClass, errorMessage }) => (errorClass ?? errorMessage) !== null);
  const error = isErrorTold && last?.errorClass !== summary.errorClass ? null : { ...summary, httpStatus };
  if (last?.outcome === "dead_lettered") rows.splice(-1, 1, withDeath(last, summary, error));
  const first = rows[0];
  if (first === undefined || firstFailedAt === null) return rows;
  if (first.n === 1 || (told.length > 0 && first.n === null)) {
    rows.splice(0, 1, { ...first, at: first.at ?? firstFailedAt });
    return rows;
  }
  const isTheOnly = firstFailedAt === failedAt && failedAtBy !== "arrival";
  return isTheOnly ? rows : [shown({ ...nothingKnown, n: 1, at: Date.parse(firstFailedAt) }), ...rows];
}

/** Letters that an older version took in say less. */
interface AttemptsSaid {
  readonly attemptLog?: readonly AttemptReading[] | null;
  readonly httpStatus?: number | null;
}

function shown(attempt: AttemptReading): AttemptRow {
  return { ...attempt, at: attempt.at === null ? null : new Date(attempt.at).toISOString() };
}

type AttemptError = Pick<AttemptRow, "errorClass" | "errorMessage" | "errorCode" | "httpStatus">;

/** The letter's own error is that of its last attempt, unless it tells of the attempts and of none that failed so last. */
function withDeath(row: AttemptRow, summary: LetterSummary, error: AttemptError | null): AttemptRow {
  return {
    ...row,
    at: row.at ?? (summary.failedAtBy === "arrival" ? null : summary.failedAt),
    consumer: row.consumer ?? summary.consumer,
    errorClass: row.errorClass ?? error?.errorClass ?? null,
    errorMessage: row.errorMessage ?? error?.errorMessage ?? null,
    errorCode: row.errorCode ?? error?.errorCode ?? null,
    httpStatus: row.httpStatus ?? error?.httpStatus ?? null,
  };
}
