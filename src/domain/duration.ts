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
