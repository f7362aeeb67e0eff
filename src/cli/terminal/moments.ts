import { showAge } from "../../domain/duration.ts";

export const timeStyles = ["relative", "local", "utc", "iso"] as const;

export type TimeStyle = (typeof timeStyles)[number];

/** Writes a moment, given as ISO 8601, the way its reader wants it: `38m`, `2026-11-15 14:04:31Z`, `2026-11-15 15:04:31+01:00`, or as it is. */
export type ShowMoment = (at: string, unlessAsked?: TimeStyle) => string;

/** `asked` null: as each column has it by itself, an age where it says nothing. */
export function momentsOf(asked: TimeStyle | null, now: () => number): ShowMoment {
  return (at, unlessAsked = "relative") => {
    const ms = Date.parse(at);
    const style = asked ?? unlessAsked;
    if (Number.isNaN(ms) || style === "iso") return at;
    if (style === "relative") return showAge(Math.max(0, now() - ms));
    return style === "utc" ? `${plain(ms)}Z` : local(ms);
  };
}

/** With its distance from UTC, which tells the two hours apart that clocks show when they go back. */
function local(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset();
  const [hours, rest] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60].map((n) =>
    String(Math.floor(n)).padStart(2, "0"),
  );
  return `${plain(ms + minutes * 60_000)}${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}

function plain(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
