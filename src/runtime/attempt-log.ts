import type { FailureKind } from "../domain/handler-errors.ts";
import { type Header, headerText, replaceHeaders, textHeader } from "../domain/message.ts";
import { wire, wireCaps } from "../domain/wire.ts";

/**
 * What a message knows of its own past. It travels in headers, so that it is the same for every instance and survives
 * every crash.
 */
export interface AttemptLog {
  /** Attempts charged so far. */
  readonly attempt: number;
  /** ISO 8601; null while nothing failed. */
  readonly firstFailedAt: string | null;
  /** Newest last; the oldest are dropped when it would grow over its cap. */
  readonly history: readonly AttemptRecord[];
  /** Where the broker kept the message when it first failed; a retry may be kept elsewhere. */
  readonly position?: string;
}

/** One attempt, as `dlo-history` has it. */
export interface AttemptRecord {
  /** Counts from 1. */
  readonly n: number;
  /** When it began, or when it failed: ISO 8601. */
  readonly at: string;
  /** Charged before the handler ran. Still there later: the attempt ended without a result, the process died. */
  readonly started?: true;
  /** Not an attempt: it came back without a result and could not be tried yet. Whoever gets it next runs it alone. */
  readonly suspect?: true;
  readonly class?: string;
  readonly message?: string;
  readonly code?: string;
  /** HTTP. */
  readonly status?: number;
  readonly kind?: FailureKind;
  /** How long the message waited after it, in milliseconds. */
  readonly delayMs?: number;
  /** The consumer: service, version, instance. */
  readonly by?: string;
  /** The failure's signature: the same one again and again is poison. */
  readonly sig?: string;
  /** How often it failed this way so far, this time included; what is transient does not count. */
  readonly same?: number;
}

export const emptyLog: AttemptLog = { attempt: 0, firstFailedAt: null, history: [] };

/** An error's message in a history is cut to this many characters; the dead letter has it in full. */
const messageCharacters = 160;

/**
 * Reads the log a message carries for this queue.
 *
 * Services copy incoming headers onto what they send, so the log of another queue is a stranger's; and a message that
 * carries a dead letter's reason was put back by somebody: it begins anew, or it would go straight back.
 */
export function readAttemptLog(headers: readonly Header[], queue: string): AttemptLog {
  if (headers.length === 0 || headerText(headers, wire.queue) !== queue) return emptyLog;
  if (headerText(headers, wire.reason) !== undefined) return emptyLog;
  return {
    attempt: readCount(headerText(headers, wire.attempt)),
    firstFailedAt: headerText(headers, wire.firstFailedAt) ?? null,
    history: readHistory(headerText(headers, wire.history)),
    ...positionIn(headers),
  };
}

function positionIn(headers: readonly Header[]): Pick<AttemptLog, "position"> {
  const position = headerText(headers, wire.position);
  return position === undefined ? {} : { position };
}

/** The log of a message that is there now, and was nowhere before. */
export function withPosition(log: AttemptLog, position: string | null): AttemptLog {
  return log.position !== undefined || position === null ? log : { ...log, position };
}

/** The attempt that was charged and of which nobody reported a result: the process that ran it died. */
export function unfinishedAttempt({ history }: AttemptLog): AttemptRecord | undefined {
  const last = history.at(-1);
  return last?.started ? last : undefined;
}

/** Its process died at an attempt that was charged: it came again by itself, or was put back before anybody tried it again. */
export function diedTrying(log: AttemptLog, redelivered: boolean): boolean {
  if (redelivered && unfinishedAttempt(log)) return true;
  if (!log.history.at(-1)?.suspect) return false;
  return log.history.findLast(({ suspect }) => !suspect)?.started === true;
}

/** The message came back without a result, and that has not been cleared up: it may be what killed a process. */
export function isSuspected({ history }: AttemptLog): boolean {
  const last = history.at(-1);
  return last !== undefined && (last.started === true || last.suspect === true);
}

/** The log of a suspect whose attempt `n` was not made after all: no charge for it is left, but the suspicion is. */
export function withSuspicion(log: AttemptLog, { n, at, by }: Pick<AttemptRecord, "n" | "at" | "by">): AttemptLog {
  const earlier = log.history.filter((known) => known.n !== n);
  const mark: AttemptRecord = { n, at, suspect: true, ...(by !== undefined && { by }) };
  return { ...log, attempt: n - 1, history: [...earlier, mark] };
}

export function withRecord(log: AttemptLog, record: AttemptRecord): AttemptLog {
  const earlier = log.history.filter((known) => known.n !== record.n);
  const message = record.message?.slice(0, messageCharacters);
  const cut = message === undefined ? record : { ...record, message };
  return {
    ...log,
    attempt: Math.max(log.attempt, record.n),
    firstFailedAt: log.firstFailedAt ?? (record.started ? null : record.at),
    history: [...earlier, cut],
  };
}

/** Headers with this log in place of whatever log was there, a stranger's or an earlier one of our own. */
export function writeAttemptLog(headers: readonly Header[], queue: string, log: AttemptLog): readonly Header[] {
  const isOurs = headerText(headers, wire.queue) === queue;
  // A stranger's number in a lane, bound to our queue, would be taken for one that is done with.
  const kept = headers.filter(({ name }) => !logNames.has(name) && (isOurs || name !== wire.lane));
  const failedAt = log.history.findLast(isFailure)?.at;
  return replaceHeaders(kept, [
    textHeader(wire.queue, queue),
    textHeader(wire.attempt, String(log.attempt)),
    ...(log.firstFailedAt === null ? [] : [textHeader(wire.firstFailedAt, log.firstFailedAt)]),
    ...(failedAt === undefined ? [] : [textHeader(wire.failedAt, failedAt)]),
    textHeader(wire.history, historyText(log.history, wireCaps.history)),
    ...(log.position === undefined ? [] : [textHeader(wire.position, cut(log.position, wireCaps.position))]),
  ]);
}

function isFailure({ started, suspect }: AttemptRecord): boolean {
  return !started && !suspect;
}

/** What belongs to one queue's log and must not be carried along to another. */
const logNames = new Set<string>([
  wire.queue,
  wire.attempt,
  wire.firstFailedAt,
  wire.failedAt,
  wire.history,
  wire.error,
  wire.reason,
  wire.category,
  wire.consumer,
  wire.position,
  wire.failure,
]);

/** Compact JSON no longer than `maxBytes`, the oldest records dropped first. */
export function historyText(history: readonly AttemptRecord[], maxBytes: number): string {
  for (let from = 0; from < history.length; from++) {
    const text = JSON.stringify(history.slice(from));
    if (utf8Length(text) <= maxBytes) return text;
  }
  return "[]";
}

/** Cut at a character, never inside one. */
export function cut(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text;
  const bytes = new TextEncoder().encode(text.slice(0, maxBytes)).subarray(0, Math.floor(maxBytes));
  return new TextDecoder().decode(bytes).replace(/�+$/, "");
}

export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

function readCount(text: string | undefined): number {
  const count = Number(text);
  return Number.isSafeInteger(count) && count >= 0 ? count : 0;
}

/** A history somebody damaged is no reason to stop: what cannot be read is left out. */
function readHistory(text: string | undefined): readonly AttemptRecord[] {
  if (text === undefined || text.length > 4 * wireCaps.history) return [];
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.filter(isRecord) : [];
  } catch {
    return [];
  }
}

function isRecord(value: unknown): value is AttemptRecord {
  if (typeof value !== "object" || value === null) return false;
  const { n, at, delayMs, sig, same } = value as Partial<Record<keyof AttemptRecord, unknown>>;
  const whole = (field: unknown) => field === undefined || Number.isFinite(field);
  return (
    Number.isSafeInteger(n) &&
    typeof at === "string" &&
    whole(delayMs) &&
    whole(same) &&
    ["string", "undefined"].includes(typeof sig)
  );
}
