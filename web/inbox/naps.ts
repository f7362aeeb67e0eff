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
export function napsFrom(now: number): readonly Nap[] {
  return [
    { name: "for an hour", until: now + hourMs, flag: "--for 1h" },
    untilMorning(now),
    { name: "for a day", until: now + 24 * hourMs, flag: "--for 24h" },
    { name: "for a week", until: now + 7 * 24 * hourMs, flag: "--for 7d" },
    { name: "until it gets worse", until: null, flag: "" },
  ];
}

/** Until a moment that somebody names. */
export function napUntil(until: number): Nap {
  const iso = new Date(until).toISOString();
  return { name: `until ${iso.slice(0, 16).replace("T", " ")} UTC`, until, flag: `--until ${iso}` };
}

function untilMorning(now: number): Nap {
  const at = new Date(now);
  at.setHours(morning, 0, 0, 0);
  const isToday = at.getTime() > now;
  if (!isToday) at.setDate(at.getDate() + 1);
  const utc = at.toISOString().slice(11, 16);
  const inUtc = utc === "09:00" ? "UTC" : `your time, ${utc} UTC`;
  const until = at.getTime();
  return { name: `until 09:00 ${isToday ? "today" : "tomorrow"} (${inUtc})`, until, flag: napUntil(until).flag };
}
