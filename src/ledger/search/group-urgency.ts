import type { Parameters } from "./parameters.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * What makes a group urgent. It grows where this many failed in each of the last hours, the running one among them, and so many times as
 * many as in each of the hours before; it is new for a day, gets old after one, and for a day it shows that a letter came back.
 */
export const urgency = {
  recentHours: 2,
  growingFrom: 10,
  growingBy: 3,
  newMs: dayMs,
  agingMs: dayMs,
  returnedMs: dayMs,
} as const;

interface UrgencyQuestion {
  readonly at: string;
  readonly now: number;
  /** How many hours of failures there are to compare, the running one among them. */
  readonly hours: number;
  readonly parameters: Parameters;
}

/**
 * A number for each group `g` in the order in which to look at them: those that came back, that grow, whose gate may have opened, the
 * new, the old, all others. In the database, and as `reasonOf` and `isGrowing` have it: what is urgent may be among thousands, with
 * fewer letters than any of them. Only whether a gate opened is decided there: here it is enough that something happened which may
 * have opened it.
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
  const returned = `exists (
        select from unnest(g.ids) as i (id) cross join lateral (
          select from ${at}.group_returns r where r.group_id = i.id and r.last_at > ${time(now - urgency.returnedMs)} offset 0
        ) r
      )`;
  return `case when ${returned} then 0
      when g.last_failed_at >= ${recent} and ${grows} then 1
      when ${mayBeUnblocked(at)} then 2
      when g.first_failed_at > ${time(now - urgency.newMs)} then 3
      when g.oldest_open_at < ${time(now - urgency.agingMs)} then 4 else 5 end`;
}

/** A fix was recorded, or another version was deployed or seen at work, since its oldest open letter failed. */
function mayBeUnblocked(at: string): string {
  return `case g.category when 'poison' then exists (
        select from ${at}.fixes f where f.group_id = g.id and f.retracted_at is null and f.fixed_at > g.oldest_open_at
      ) when 'schema_mismatch' then exists (
        select from ${at}.consumer_versions v where v.source = g.source and v.queue = g.queue and v.first_seen_at > g.oldest_open_at
      ) or exists (
        select from ${at}.deploys d where d.queues @> array[g.queue]::text[] and d.deployed_at > g.oldest_open_at
      ) else false end`;
}
