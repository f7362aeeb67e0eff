import { showCount } from "../../domain/show-count.ts";
import { countByBucket, type RetryWaits, type RetryWaitsOptions, type Wait } from "../../simulate/retry-waits.ts";
import type { Context } from "../command.ts";
import { chartColumns, columnChart } from "../terminal/columns.ts";
import { roundStep } from "../terminal/scale.ts";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/text.ts";
import { axisUnit, showDuration, showShortDuration } from "../terminal/units.ts";
import { retryFindings } from "./retry-findings.ts";

/** The waits as a table, the calls over time as columns, and what follows from both in words. */
export function showRetryWaits(result: RetryWaits, options: RetryWaitsOptions, { print, terminal }: Context): void {
  print(waitsTable(result.waits, terminal));
  print("");
  print(loadOverTime(result, options, terminal));
  print("");
  for (const finding of retryFindings(result, options)) print(wrap(`- ${finding}`, terminal.columns - 2).join("\n  "));
}

const jsonBuckets = 100;

export function retryWaitsJson(result: RetryWaits, options: RetryWaitsOptions) {
  const bucketMs = bucketFor(result, jsonBuckets);
  return {
    ...options,
    waits: result.waits,
    load: { bucketMs, calls: countByBucket(result.callTimesMs, bucketMs) },
    findings: retryFindings(result, options),
  };
}

function waitsTable(waits: readonly Wait[], terminal: Terminal): string {
  const titles = ["AFTER ATTEMPT", "WAIT MIN", "MEAN", "MAX", "SINCE FIRST MIN", "MEAN", "MAX"];
  return table(
    titles.map((title) => ({ title, align: "right" })),
    waits.map(({ attempt, waitMs, sinceFirstMs }) => {
      const times = [waitMs.min, waitMs.mean, waitMs.max, sinceFirstMs.min, sinceFirstMs.mean, sinceFirstMs.max];
      return [String(attempt), ...times.map(showShortDuration)];
    }),
    terminal,
  );
}

function loadOverTime(result: RetryWaits, { messages }: RetryWaitsOptions, terminal: Terminal): string {
  const bucketMs = bucketFor(result, chartColumns(terminal));
  const values = countByBucket(result.callTimesMs, bucketMs);
  const { name, ms } = axisUnit(values.length * bucketMs);
  const title = `Calls per ${showDuration(bucketMs)}, of ${showCount(messages, "message")} that failed together at 0 s`;
  return columnChart({ title, values, from: 0, to: (values.length * bucketMs) / ms, unit: name }, terminal);
}

/** A round length of time of which at most `buckets` cover all calls. */
function bucketFor({ callTimesMs }: RetryWaits, buckets: number): number {
  return Math.max(1, roundStep((callTimesMs.at(-1) ?? 0) / (buckets - 1)));
}
