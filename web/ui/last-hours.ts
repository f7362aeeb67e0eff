import { officeNow } from "../app/office-clock.ts";
import { showHour } from "./moment-words.ts";

export const hourMs = 3_600_000;
/** The running one is the last. */
export const lastHours = 24;

/** When the first of the last 24 hours began, by the clock of the office, which counted them. */
export function firstHourBegan(): number {
  return (Math.floor(officeNow() / hourMs) - lastHours + 1) * hourMs;
}

/** What each of them is called: the day and the hour it began. */
export function hourNames(firstBegan: number, zone: string): readonly string[] {
  return Array.from({ length: lastHours }, (_, at) => showHour(firstBegan + at * hourMs, zone));
}
