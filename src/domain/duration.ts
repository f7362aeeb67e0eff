const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `1.5s` as 1500; a bare number means seconds; anything else is NaN. */
export function durationMs(text: string): number {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  return amount === undefined ? Number.NaN : Number(amount) * (unitMs[unit] ?? Number.NaN);
}

/** An age in its largest whole unit, as it would be typed: `38m`, `6h`, `12d`. */
export function showAge(ms: number): string {
  const [unit, size] = Object.entries(unitMs).findLast(([, each]) => ms >= each) ?? ["ms", 1];
  return `${Math.floor(ms / size)}${unit}`;
}

/** How long something may still take, rounded up so that it is not longer: `45 s`, `6 min`. */
export function showRemaining(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

const unitNames = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** A length of time in whole units, as a sentence has it: `2 minutes`, `90 seconds`, `1 day`. */
export function durationInWords(ms: number): string {
  const [name, size] = unitNames.find(([, each]) => ms >= each && ms % each === 0) ?? ["second", 1_000];
  const n = Number((ms / size).toFixed(1));
  return `${n.toLocaleString("en-US")} ${name}${n === 1 ? "" : "s"}`;
}
