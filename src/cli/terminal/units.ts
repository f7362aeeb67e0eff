/** A time as people say it: `850 ms`, `7.5 s`, `2 min 5 s`, `1 h 30 min`. */
export function showDuration(ms: number): string {
  if (ms < 1_000) return `${showNumber(ms, ms < 10 ? 1 : 0)} ms`;
  if (ms < 60_000) return `${showNumber(ms / 1_000, ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return twoUnits(Math.round(ms / 1_000), "min", "s");
  return twoUnits(Math.round(ms / 60_000), "h", "min");
}

/** The same for a table, as it would be typed: `850ms`, `7.5s`, `2m34s`, `1h30m`. */
export function showShortDuration(ms: number): string {
  return showDuration(ms).replace("min", "m").replaceAll(" ", "");
}

/** With thousands set apart and no needless zeros: `63,314`, `7.5`. */
export function showNumber(value: number, decimals = 0): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: decimals });
}

/** With just so many digits behind the point, so that a column of numbers lines up: `8.0`. */
export function showDecimal(value: number, decimals: number): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

export function showShare(share: number): string {
  return `${showNumber(share * 100, share < 0.1 ? 1 : 0)} %`;
}

function twoUnits(small: number, bigUnit: string, smallUnit: string): string {
  const rest = small % 60;
  const big = `${showNumber(Math.floor(small / 60))} ${bigUnit}`;
  return rest === 0 ? big : `${big} ${rest} ${smallUnit}`;
}

export interface AxisUnit {
  readonly name: string;
  readonly ms: number;
}

/** The unit in which a stretch of time gives numbers that are easy to read. */
export function axisUnit(spanMs: number): AxisUnit {
  if (spanMs <= 2_000) return { name: "ms", ms: 1 };
  if (spanMs <= 600_000) return { name: "s", ms: 1_000 };
  return spanMs <= 36_000_000 ? { name: "min", ms: 60_000 } : { name: "h", ms: 3_600_000 };
}
