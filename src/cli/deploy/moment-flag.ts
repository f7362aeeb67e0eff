import { requireOption } from "../../domain/options.ts";
import type { Flag } from "../flags.ts";

/** A moment as ISO 8601 with its zone, given on in UTC; null when it is left out. */
export function momentFlag(about: string): Flag<string | null> {
  return {
    takesValue: true,
    placeholder: "TIME",
    about,
    shownDefault: "now",
    default: null,
    parse(text, option) {
      const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
      requireOption(isMoment && !Number.isNaN(Date.parse(text)), option, "a time such as 2026-11-15T14:30:00Z", text);
      return new Date(text).toISOString();
    },
  };
}
