import { type Reading, showMoment } from "../ui/moment-words.ts";

/** Until when a group may wait. */
export interface Nap {
  readonly name: string;
  /** In milliseconds since 1970; null: only until it gets worse. */
  readonly until: number | null;
  /** What says so in a terminal; empty where only its getting worse ends it. */
  readonly flag: string;
}

const hourMs = 3_600_000;
/** When people come to work, where the reader is. */
const morning = 9;

/** Those that are asked for most, counted from when somebody asks. */
export function napsFrom(now: number, reading: Reading): readonly Nap[] {
  return [
    { name: "for an hour", until: now + hourMs, flag: "--for 1h" },
    untilMorning(now, reading),
    { name: "for a day", until: now + 24 * hourMs, flag: "--for 24h" },
    { name: "for a week", until: now + 7 * 24 * hourMs, flag: "--for 7d" },
    { name: "until it gets worse", until: null, flag: "" },
  ];
}

/** Until a moment that somebody names. */
export function napUntil(until: number, reading: Reading): Nap {
  return { name: `until ${showMoment(until, reading)}`, until, flag: `--until ${new Date(until).toISOString()}` };
}

function untilMorning(now: number, reading: Reading): Nap {
  const at = new Date(now);
  at.setHours(morning, 0, 0, 0);
  if (at.getTime() <= now) at.setDate(at.getDate() + 1);
  return napUntil(at.getTime(), reading);
}
