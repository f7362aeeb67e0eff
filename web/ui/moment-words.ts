import { showAge } from "../../src/domain/duration.ts";

/** From where a moment is looked at: it says something else to somebody in Berlin, and tomorrow. */
export interface Reading {
  /** Of IANA: `Europe/Berlin`, `UTC`. */
  readonly zone: string;
  /** By the office's clock. */
  readonly now: number;
}

/** Less says nothing to a person. */
const leastMs = 1_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** The clocks of a zone change at most once within so long. */
const aroundMs = dayMs / 2;

/** How long it has been so: `38m`. Never less than nothing, whatever two clocks make of it. */
export function showElapsed(since: number, { now }: Pick<Reading, "now">): string {
  return showAge(Math.max(leastMs, now - since));
}

/** For a list, where little room is: `38m`, and from a day on the date. */
export function showWhen(at: number, reading: Reading): string {
  return isFar(at, reading) ? wallAt(at, reading.zone).date : showElapsed(at, reading);
}

/** The moment itself, with the zone's distance from UTC: `14:04 UTC+1`, and from a day on with the date. */
export function showMoment(at: number, reading: Reading, to: "minute" | "second" = "minute"): string {
  const { date, time } = wallAt(at, reading.zone);
  const clock = to === "minute" ? time.slice(0, 5) : time;
  return `${isFar(at, reading) ? `${date} ` : ""}${clock} ${offsetName(at, reading.zone)}`;
}

/** Beside something that names the zone: `14:04:31`. */
export function showClock(at: number, zone: string): string {
  return wallAt(at, zone).time;
}

/** The whole of it, for whoever compares it with a log. */
export function showWhole(at: number, zone: string): string {
  const { date, time } = wallAt(at, zone);
  return `${date} ${time} ${offsetName(at, zone)}`;
}

/** Below a heading that names the zone: `2026-11-15 14:04:31`. An hour that comes twice says which of the two it is. */
export function showInColumn(at: number, zone: string): string {
  const { date, time } = wallAt(at, zone);
  return `${date} ${time}${whichOfTwo(at, zone)}`;
}

/** On an axis of hours, which names the zone: `11-15 14:00`. */
export function showHour(at: number, zone: string): string {
  const { date, time } = wallAt(at, zone);
  return `${date.slice(5)} ${time.slice(0, 5)}${whichOfTwo(at, zone)}`;
}

export function showDate(at: number, zone: string): string {
  return wallAt(at, zone).date;
}

/** `UTC`, `UTC+1`, `UTC-3:30`: how far the clocks there are from it at that moment. */
export function offsetName(at: number, zone: string): string {
  const minutes = Math.round(offsetAt(at, zone) / minuteMs);
  if (minutes === 0) return "UTC";
  const rest = Math.abs(minutes) % 60;
  const hours = Math.floor(Math.abs(minutes) / 60);
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

/** When the clocks there show it, given as ISO 8601 without a zone. Of two moments the earlier; what is skipped, by the clocks before. */
export function instantIn(zone: string, wall: string): number {
  const asUtc = Date.parse(`${wall}Z`);
  const offsets = [offsetAt(asUtc - dayMs, zone), offsetAt(asUtc + dayMs, zone)];
  const fits = offsets.map((offset) => asUtc - offset).filter((at) => at + offsetAt(at, zone) === asUtc);
  return fits.length === 0 ? asUtc - (offsets[0] ?? 0) : Math.min(...fits);
}

/** The zone as this machine calls it; null where there is none of that name. */
export function zoneNamed(name: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    // A distance from UTC is no zone: its clocks never change.
    return /^[A-Z]/i.test(timeZone) ? timeZone : null;
  } catch {
    return null;
  }
}

/** A day away or more: the time of day alone would be taken for that of today. */
export function isFar(at: number, { now }: Reading): boolean {
  return Math.abs(now - at) >= dayMs;
}

function whichOfTwo(at: number, zone: string): string {
  const offset = offsetAt(at, zone);
  const others = [offsetAt(at - aroundMs, zone), offsetAt(at + aroundMs, zone)].filter((other) => other !== offset);
  const isTwice = others.some((other) => offsetAt(at + offset - other, zone) === other);
  return isTwice ? ` ${offsetName(at, zone)}` : "";
}

function wallAt(at: number, zone: string): { readonly date: string; readonly time: string } {
  const [date = "", time = ""] = new Date(at + offsetAt(at, zone)).toISOString().split("T");
  return { date, time: time.slice(0, 8) };
}

/** How much later it is there than in UTC, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  if (zone === "UTC") return 0;
  const part = Object.fromEntries(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

/** Making one takes longer than using it a hundred times. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const two = "2-digit" as const;
  const clock = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: zone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: two, day: two, hour: two, minute: two, second: two },
  });
  clocks.set(zone, clock);
  return clock;
}
