const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const sizeUnits: Readonly<Record<string, number>> = { b: 1, kb: 1_024, mb: 1_048_576, gb: 1_073_741_824 };

/** `30s`, `15m`, `1h`, `7d`, `2w` in milliseconds; undefined for anything else. */
export function durationValue(text: string): number | undefined {
  return withUnit(text, durationUnits);
}

/** `64kb`, `2mb` or a bare number, in bytes. */
export function sizeValue(text: string): number | undefined {
  return withUnit(/^\d+$/.test(text) ? `${text}b` : text, sizeUnits);
}

export function numberValue(text: string): number | undefined {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** `2026-11-15`, `2026-11-15T14:00Z`, `now`, `now-2h`: milliseconds since 1970. Without a zone it is UTC. */
export function timeValue(text: string, now: number): number | undefined {
  const [, sign, ago] = /^now(?:([+-])(\w+))?$/i.exec(text) ?? [];
  if (/^now$/i.test(text)) return now;
  if (sign !== undefined && ago !== undefined) {
    const distance = durationValue(ago);
    return distance === undefined ? undefined : now + (sign === "-" ? -distance : distance);
  }
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}(?::\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i.test(text))
    return undefined;
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10));
  const padded = /T\d{2}$/i.test(text) ? `${text}:00` : text;
  const time = Date.parse(hasZone || text.length === 10 ? padded : `${padded}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function withUnit(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([a-z]+)$/i.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
