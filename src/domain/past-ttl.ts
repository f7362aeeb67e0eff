const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** "expired 3 h ago" of a letter past its own time to live; null while it is not, or where it has none. */
export function pastTtl(expiresAt: string | null, now: number): string | null {
  const agoMs = expiresAt === null ? -1 : now - Date.parse(expiresAt);
  if (agoMs < 0) return null;
  const [unit, size] = units.find(([, each]) => agoMs >= each) ?? ["s", 1_000];
  return `expired ${Math.floor(agoMs / size)} ${unit} ago`;
}
