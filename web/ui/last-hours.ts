export const hourMs = 3_600_000;
/** The running one is the last. */
export const lastHours = 24;

/** When the first of the last 24 hours began. */
export function firstHourBegan(): number {
  return (Math.floor(Date.now() / hourMs) - lastHours + 1) * hourMs;
}

/** What each of them is called: the day and the hour it began, in UTC. */
export function hourNames(firstBegan: number): readonly string[] {
  return Array.from({ length: lastHours }, (_, at) =>
    new Date(firstBegan + at * hourMs).toISOString().slice(5, 16).replace("T", " "),
  );
}
