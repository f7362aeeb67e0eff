import type { FailureSpan } from "../../ledger/search/group-failures.ts";

/** A stretch of time in which messages of a group failed without a long pause. Times are milliseconds since 1970. */
export interface PastOutage {
  readonly beganAt: number;
  /** When the last failure was seen. */
  readonly endedAt: number;
  /** Of how many milliseconds each count is. */
  readonly bucketMs: number;
  /** How many messages failed for the first time in each, from the beginning. */
  readonly failures: readonly number[];
}

/** Nothing failed for so long: what comes then is another outage. */
const pauseMs = 30 * 60_000;
const buckets = 120;
const leastBucketMs = 1_000;

/** The outages that failures tell of, in order. */
export function outagesIn(spans: readonly FailureSpan[]): readonly (readonly FailureSpan[])[] {
  const outages: FailureSpan[][] = [];
  let endedAt = Number.NEGATIVE_INFINITY;
  for (const span of spans.toSorted((one, other) => one.firstAt - other.firstAt)) {
    if (span.firstAt - endedAt > pauseMs) outages.push([]);
    outages.at(-1)?.push(span);
    endedAt = Math.max(endedAt, span.lastAt);
  }
  return outages;
}

/** The outage that most messages failed in; null where nobody knows when any failed. */
export function largestOutage(spans: readonly FailureSpan[]): PastOutage | null {
  const [largest] = outagesIn(spans).toSorted((one, other) => other.length - one.length);
  if (largest === undefined) return null;
  const beganAt = Math.min(...largest.map(({ firstAt }) => firstAt));
  const endedAt = Math.max(...largest.map(({ lastAt }) => lastAt));
  const bucketMs = Math.max(leastBucketMs, Math.ceil((endedAt - beganAt + 1) / buckets));
  const failures = Array.from({ length: Math.floor((endedAt - beganAt) / bucketMs) + 1 }, () => 0);
  for (const { firstAt } of largest) {
    const place = Math.floor((firstAt - beganAt) / bucketMs);
    failures[place] = (failures[place] ?? 0) + 1;
  }
  return { beganAt, endedAt, bucketMs, failures };
}
