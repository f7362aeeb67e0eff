import type { Parameters } from "./parameters.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * What makes a group urgent. It grows where this many came in each of the last hours, the running one among them, and so many times as
 * many as in each of the hours before; it is new for a day, and gets old after one.
 */
export const urgency = { recentHours: 2, growingFrom: 10, growingBy: 3, newMs: dayMs, agingMs: dayMs } as const;

interface UrgencyQuestion {
  readonly at: string;
  readonly now: number;
  /** How many hours of arrivals there are to compare, the running one among them. */
  readonly hours: number;
  readonly parameters: Parameters;
}

/**
 * A number for each group `g` in the order in which to look at them: those that grow, the new, the old, all others. In the database, and as
 * `reasonOf` has it: what is urgent may be among thousands, with fewer letters than any of them.
 */
export function urgencyOrder({ at, now, hours, parameters }: UrgencyQuestion): string {
  const runningHour = Math.floor(now / hourMs) * hourMs;
  const time = (ms: number) => `${parameters.add(new Date(ms).toISOString())}::timestamptz`;
  const since = time(runningHour - (hours - 1) * hourMs);
  const recent = time(runningHour - (urgency.recentHours - 1) * hourMs);
  const grows = `(
      select coalesce(sum(u.n) filter (where u.hour >= ${recent}), 0) >= ${urgency.growingFrom * urgency.recentHours}
        and coalesce(sum(u.n) filter (where u.hour >= ${recent}), 0) * ${hours - urgency.recentHours}
          > coalesce(sum(u.n) filter (where u.hour < ${recent}), 0) * ${urgency.growingBy * urgency.recentHours}
      from ${at}.group_hours u where u.group_id = any (g.ids) and u.hour >= ${since}
    )`;
  return `case when g.last_arrived_at >= ${recent} and ${grows} then 0
      when g.first_arrived_at > ${time(now - urgency.newMs)} then 1
      when g.oldest_open_at < ${time(now - urgency.agingMs)} then 2 else 3 end`;
}
