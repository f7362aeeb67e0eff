import { showCount } from "../../domain/show-count.ts";
import { attemptsToOutlast, busiest, type RetryWaits, type RetryWaitsOptions } from "../../simulate/retry-waits.ts";
import { showDuration } from "../terminal/units.ts";

/** What the waits of a policy mean for whoever has to live with it, most important first. */
export function retryFindings(result: RetryWaits, options: RetryWaitsOptions): string[] {
  return [
    span(result, options),
    ...outlasting(result, options),
    crowd(result, options),
    ...cap(result, options),
    cost(options),
  ];
}

function span({ waits }: RetryWaits, { attempts }: RetryWaitsOptions): string {
  const { min, mean, max } = waits.at(-1)?.sinceFirstMs ?? { min: 0, mean: 0, max: 0 };
  const range = min === max ? "" : ` on average, ${showDuration(max)} at most`;
  return `The last of ${showCount(attempts, "attempt")} comes ${showDuration(mean)} after the first failure${range}. An outage that lasts longer dead-letters what it meets.`;
}

/** Outages people really have: a deploy, a failover, a bad quarter of an hour. */
const outagesMs = [60_000, 300_000, 900_000];

function outlasting({ waits }: RetryWaits, { policy }: RetryWaitsOptions): string[] {
  const spanMs = waits.at(-1)?.sinceFirstMs.mean ?? 0;
  const longer = outagesMs.find((outageMs) => outageMs > spanMs);
  if (longer === undefined) return [];
  const needed = attemptsToOutlast(policy, longer);
  if (needed === null)
    return [`No number of attempts outlasts an outage of ${showDuration(longer)}: the waits do not grow.`];
  return [`To be still trying after ${showDuration(longer)}, on average, it takes ${showCount(needed, "attempt")}.`];
}

const crowdMs = 100;
const herdShare = 0.5;

function crowd({ callTimesMs }: RetryWaits, { messages }: RetryWaitsOptions): string {
  const { fromMs, calls } = busiest(callTimesMs, crowdMs);
  const when = fromMs === 0 ? "at once" : `${showDuration(fromMs)} after the failure`;
  const counted = `${showCount(calls, "call")} of ${showCount(messages, "message")}`;
  if (calls < herdShare * messages) return `No herd: the busiest ${crowdMs} ms, ${when}, see ${counted}.`;
  return `Herd: messages that failed together call again together: ${counted} within ${crowdMs} ms, ${when}. Full jitter spreads them.`;
}

function cap({ waits }: RetryWaits, { policy, attempts }: RetryWaitsOptions): string[] {
  if (!("maxMs" in policy) || policy.maxMs === undefined) return [];
  const capMs = policy.maxMs;
  const longest = Math.max(...waits.map(({ waitMs }) => waitMs.max));
  const first = waits.find(({ waitMs }) => waitMs.max >= capMs);
  if (first !== undefined)
    return [`Waits reach the cap of ${showDuration(capMs)} after attempt ${first.attempt} and grow no further.`];
  return [
    `The cap of ${showDuration(capMs)} is never reached with ${showCount(attempts, "attempt")}: the longest wait is ${showDuration(longest)}.`,
  ];
}

function cost({ attempts }: RetryWaitsOptions): string {
  return `While everything fails, each message costs ${attempts} calls. A retry budget keeps that from multiplying the load.`;
}
