import { expect, it } from "vitest";
import { maxRetryAfterMs, parseRetryAfter, readRetryAfter } from "./retry-after.ts";

const now = Date.UTC(2026, 0, 1);
const read = (fields: object) => readRetryAfter(Object.assign(new Error("slow down"), fields), now);
const inAMinute = "Thu, 01 Jan 2026 00:01:00 GMT";

it.each<[string, object, number | null]>([
  ["retryAfterMs", { retryAfterMs: 250 }, 250],
  ["retryAfter in seconds", { retryAfter: 2 }, 2_000],
  ["retryAfter as text", { retryAfter: "1.5" }, 1_500],
  ["retryAfter as a date", { retryAfter: new Date(now + 5_000) }, 5_000],
  ["Headers", { headers: new Headers({ "Retry-After": "120" }) }, 120_000],
  ["a plain object, in whatever case", { headers: { "RETRY-AFTER": "3" } }, 3_000],
  ["a plain object with lists, as Node has them", { headers: { "retry-after": ["4", "9"] } }, 4_000],
  ["a Map", { headers: new Map([["Retry-After", "5"]]) }, 5_000],
  ["the response's headers", { response: { headers: new Headers({ "retry-after": inAMinute }) } }, 60_000],
  ["milliseconds, where a header has them", { headers: { "retry-after-ms": "750", "retry-after": "1" } }, 750],
  ["a date that is over", { retryAfter: "Wed, 31 Dec 2025 23:59:00 GMT" }, 0],
  ["nothing", {}, null],
  ["a negative number", { retryAfter: -5 }, null],
  ["negative text", { retryAfter: "-5" }, null],
  ["nonsense", { retryAfter: "soon" }, null],
  ["no number", { retryAfter: Number.NaN }, null],
  ["text without end", { retryAfter: "1".repeat(100_000) }, null],
])("reads %s", (_title, fields, expected) => expect(read(fields)).toBe(expected));

it("obeys no longer than an hour", () => {
  expect(read({ retryAfter: 1e9 })).toBe(maxRetryAfterMs);
  expect(read({ retryAfter: "Fri, 01 Jan 2100 00:00:00 GMT" })).toBe(maxRetryAfterMs);
});

it("parses the header alone", () => {
  expect(parseRetryAfter("30", now)).toBe(30_000);
  expect(parseRetryAfter(inAMinute, now)).toBe(60_000);
  expect(parseRetryAfter({}, now)).toBeUndefined();
});
