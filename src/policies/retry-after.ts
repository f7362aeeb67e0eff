import { ask, peek, peekNames } from "./cautious.ts";

/** A server that asks for more than an hour is not obeyed to the letter: its clock or its unit may be wrong. */
export const maxRetryAfterMs = 3_600_000;

/**
 * How long the other side asked to be left alone, in milliseconds, or null: from `retryAfterMs` (milliseconds),
 * `retryAfter` (seconds, a date, or text as in the header), or the headers of the error or of its response.
 */
export function readRetryAfter(error: unknown, now: number): number | null {
  const wait =
    duration(peek(error, "retryAfterMs")) ??
    parseRetryAfter(peek(error, "retryAfter"), now) ??
    fromHeaders(peek(error, "headers"), now) ??
    fromHeaders(peek(peek(error, "response"), "headers"), now) ??
    fromHeaders(peek(error, "responseHeaders"), now);
  return wait === undefined ? null : Math.min(maxRetryAfterMs, Math.round(wait));
}

/** `Retry-After` as HTTP has it, seconds or a date, in milliseconds from now. */
export function parseRetryAfter(value: unknown, now: number): number | undefined {
  if (typeof value === "number") return duration(value * 1_000);
  if (typeof value !== "string") return untilTime(ask(value, "getTime"), now);
  if (value.length > 64) return undefined;
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(value)) return duration(Number(value) * 1_000);
  // A date has a month's or a weekday's name; without asking for one, "-5" would be taken for May.
  return /[a-z]{3}/i.test(value) ? untilTime(Date.parse(value), now) : undefined;
}

function duration(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A time that is over already means "now". */
function untilTime(time: unknown, now: number): number | undefined {
  return typeof time === "number" && Number.isFinite(time) ? Math.max(0, time - now) : undefined;
}

function fromHeaders(headers: unknown, now: number): number | undefined {
  const exact = header(headers, "retry-after-ms", "Retry-After-Ms");
  const exactMs = typeof exact === "string" && exact.trim() !== "" ? Number(exact) : exact;
  return duration(exactMs) ?? parseRetryAfter(header(headers, "retry-after", "Retry-After"), now);
}

/** From `Headers`, a `Map` or a plain object in whatever case; of several values the first. */
function header(headers: unknown, name: string, title: string): unknown {
  const asked = ask(headers, "get", name) ?? ask(headers, "get", title);
  const spelling = () => peekNames(headers, 200).find((candidate) => candidate.toLowerCase() === name);
  const found = asked ?? peek(headers, spelling() ?? name);
  return typeof found === "object" ? (peek(found, "0") ?? found) : found;
}
