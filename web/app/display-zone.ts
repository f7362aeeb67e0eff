import { useSyncExternalStore } from "react";
import { type Reading, zoneNamed } from "../ui/moment-words.ts";
import { officeNow } from "./office-clock.ts";

/** In which zone times are shown, and what lists say of them. This browser remembers it, for every tab. */
interface TimeChoices {
  /** Chosen in the settings; null: the browser's own. */
  readonly zone: string | null;
  /** UTC for now, whatever was chosen. */
  readonly isUtc: boolean;
  /** Lists say the moment itself, not how long ago it was: a finger hovers over nothing. */
  readonly asMoments: boolean;
}

const name = "dlo-times";
const changed = "dlo-times-changed";
const none: TimeChoices = { zone: null, isUtc: false, asMoments: false };

/** Read once for as long as it stays the same: whoever shows it would be drawn anew for ever otherwise. */
let known: { readonly kept: string | null; readonly choices: TimeChoices } | null = null;

export function timeChoices(): TimeChoices {
  const kept = localStorage.getItem(name);
  if (known === null || known.kept !== kept) known = { kept, choices: readChoices(kept) };
  return known.choices;
}

/** As they were kept; what cannot be read is as if nothing were. */
function readChoices(kept: string | null): TimeChoices {
  try {
    const { zone, isUtc, asMoments } = JSON.parse(kept ?? "{}") as Readonly<Record<keyof TimeChoices, unknown>>;
    return {
      zone: typeof zone === "string" ? zoneNamed(zone) : null,
      isUtc: isUtc === true,
      asMoments: asMoments === true,
    };
  } catch {
    return none;
  }
}

export function keepTimes(some: Partial<TimeChoices>): void {
  localStorage.setItem(name, JSON.stringify({ ...timeChoices(), ...some }));
  dispatchEvent(new Event(changed));
}

export function useTimeChoices(): TimeChoices {
  return useSyncExternalStore(listen, timeChoices);
}

/** Every zone that this browser knows, for whoever looks for theirs. */
export function knownZones(): readonly string[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];
}

export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function zoneShown({ zone, isUtc }: TimeChoices): string {
  return isUtc ? "UTC" : (zone ?? browserZone());
}

/** UTC, and back; gives what to say of it. */
export function turnZone(): string {
  const { zone, isUtc } = timeChoices();
  const own = zone ?? browserZone();
  if (own === "UTC") return "Times are in UTC, which is your zone, too. Settings, Appearance has others.";
  keepTimes({ isUtc: !isUtc });
  return `Times are in ${zoneShown(timeChoices())} now.`;
}

/** How whoever looks at this page reads a moment. */
export function useReading(): Reading {
  return { zone: zoneShown(useTimeChoices()), now: officeNow() };
}

function listen(onChange: () => void): () => void {
  for (const event of [changed, "storage"]) addEventListener(event, onChange);
  return () => {
    for (const event of [changed, "storage"]) removeEventListener(event, onChange);
  };
}
