import { z } from "zod";
import type { AttemptReading, LetterReading } from "../../domain/dead-letter.ts";
import type { LetterSummary } from "../../ledger/search/find-letters.ts";
import type { PastReturn } from "../../ledger/search/read-letter.ts";

const text = z.string().nullable();

/** One attempt of the handler before the letter was given up. Null is "the letter does not say". */
export const attemptRow = z.object({
  /** Counts from 1: the first time that it died, then each time that it failed again after a replay. */
  run: z.number(),
  /** The replay that brought this run about; null for the first. */
  replay: text,
  /** Counts from 1, in each run. */
  n: z.number().nullable(),
  /** When it failed or, where that alone is known, began. */
  at: text,
  /** How long the message was to wait before it. */
  waitMs: z.number().nullable(),
  /** The time since the attempt before, as both say when they failed; null for the first of a run. */
  waitedMs: z.number().nullable(),
  /** The service, its version, and which of its instances or workers. */
  consumer: text,
  version: text,
  process: text,
  /** The machine or pod; known of the process that gave the message up. */
  host: text,
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

/** How a letter died once. */
type Death = Pick<
  LetterSummary,
  "attempts" | "consumer" | "failedAt" | "failedAtBy" | "firstFailedAt" | "errorClass" | "errorMessage" | "errorCode"
>;

type Row = Omit<AttemptRow, "run" | "replay" | "waitedMs" | "host">;

/** What a letter says of its attempts, in order: of its first run, and of each that a replay brought about. */
export function attemptRows(reading: unknown, summary: LetterSummary, returns: readonly PastReturn[]): AttemptRow[] {
  const readings = [{ reading, replay: null }, ...returns];
  return readings.flatMap((each, index) => {
    const isLast = index === readings.length - 1;
    const rows = rowsOf(each.reading, returns.length === 0 ? summary : deathIn(each.reading, summary, isLast));
    return withHost(rows, each.reading).map((row, position): AttemptRow => {
      const waitedMs = timeBetween(rows[position - 1], row);
      return { run: index + 1, replay: each.replay, ...row, waitedMs };
    });
  });
}

/** What the letter has of how it failed is that of its last death. Of those before, what each says of itself is known. */
function deathIn(reading: unknown, summary: LetterSummary, isLast: boolean): Death {
  const { attempts = null, firstFailedAt = null, ...said } = (reading ?? {}) as DeathSaid;
  const counted = { attempts, firstFailedAt: isoOrNull(firstFailedAt) };
  if (isLast) return { ...summary, ...counted };
  const { lastFailedAt = null, consumer = null, errorClass = null, errorMessage = null, errorCode = null } = said;
  const failedAt = isoOrNull(lastFailedAt);
  return {
    ...{ ...counted, consumer, errorClass, errorMessage, errorCode },
    ...{ failedAt: failedAt ?? summary.arrivedAt, failedAtBy: failedAt === null ? "arrival" : "letter" },
  };
}

type DeathSaid = Partial<
  Pick<
    LetterReading,
    "attempts" | "consumer" | "errorClass" | "errorCode" | "errorMessage" | "firstFailedAt" | "lastFailedAt"
  >
>;

/** Where it tells of no attempts by itself, its first and its last failure. */
function rowsOf(reading: unknown, death: Death): readonly Row[] {
  const { attemptLog, httpStatus = null } = (reading ?? {}) as AttemptsSaid;
  if (death.attempts === 0) return [];
  const told = attemptLog ?? [];
  const { failedAt, failedAtBy, firstFailedAt, attempts } = death;
  const rows = (told.length === 0 ? [{ ...nothingKnown, n: attempts, outcome: "dead_lettered" as const }] : told).map(
    shown,
  );
  const last = rows.at(-1);
  const isErrorTold = told.some(({ errorClass, errorMessage }) => (errorClass ?? errorMessage) !== null);
  const error = isErrorTold && last?.errorClass !== death.errorClass ? null : { ...death, httpStatus };
  if (last?.outcome === "dead_lettered") rows.splice(-1, 1, withDeath(last, death, error));
  const first = rows[0];
  if (first === undefined || firstFailedAt === null) return rows;
  if (first.n === 1 || (told.length > 0 && first.n === null)) {
    rows.splice(0, 1, { ...first, at: first.at ?? firstFailedAt });
    return rows;
  }
  const isTheOnly = firstFailedAt === failedAt && failedAtBy !== "arrival";
  return isTheOnly ? rows : [shown({ ...nothingKnown, n: 1, at: Date.parse(firstFailedAt) }), ...rows];
}

/** A letter names the machine of whoever gave it up: it is that of each attempt that the same process made. */
function withHost(rows: readonly Row[], reading: unknown): readonly (Row & Pick<AttemptRow, "host">)[] {
  const { host = null } = (reading ?? {}) as { readonly host?: string | null };
  const last = rows.at(-1);
  return rows.map((row) => {
    const isSame = row === last || (row.process !== null && row.process === last?.process);
    return { ...row, host: isSame ? host : null };
  });
}

/** Null where attempts between them are not told, and where clocks of two processes differ by more than lay between. */
function timeBetween(before: Row | undefined, { n, at }: Row): number | null {
  if (before === undefined || before.at === null || at === null) return null;
  if (before.n !== null && n !== null && n !== before.n + 1) return null;
  const ms = Date.parse(at) - Date.parse(before.at);
  return ms < 0 ? null : ms;
}

/** Letters that an older version took in say less. */
interface AttemptsSaid {
  readonly attemptLog?: readonly AttemptReading[] | null;
  readonly httpStatus?: number | null;
}

function shown(attempt: AttemptReading): Row {
  return { ...attempt, at: isoOrNull(attempt.at) };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

type AttemptError = Pick<AttemptRow, "errorClass" | "errorMessage" | "errorCode" | "httpStatus">;

/** The letter's own error is that of its last attempt, unless it tells of the attempts and of none that failed so last. */
function withDeath(row: Row, death: Death, error: AttemptError | null): Row {
  return {
    ...row,
    at: row.at ?? (death.failedAtBy === "arrival" ? null : death.failedAt),
    consumer: row.consumer ?? death.consumer,
    errorClass: row.errorClass ?? error?.errorClass ?? null,
    errorMessage: row.errorMessage ?? error?.errorMessage ?? null,
    errorCode: row.errorCode ?? error?.errorCode ?? null,
    httpStatus: row.httpStatus ?? error?.httpStatus ?? null,
  };
}
