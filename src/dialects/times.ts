import type { HeaderValue } from "../domain/message.ts";
import { bigEndian, isAllDigits } from "./bytes.ts";

/** Milliseconds since 1970, of the times that libraries write. What is no time, or one no clock shows, is undefined. */

const iso =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,:](\d{1,9}))?\d*)?\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/;

/** ISO 8601 and its many cousins: a blank for the `T`, any number of decimals, no zone (then UTC). */
export function isoTime(text: string | undefined): number | undefined {
  const found = text === undefined || text.length > 64 ? null : iso.exec(text.trim());
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second = "0", decimals = "0", zone = "Z"] = found;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return plausible(date + Number(decimals.padEnd(3, "0").slice(0, 3)) - zoneMs(zone));
}

function zoneMs(zone: string): number {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (found === null) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  return (found[1] === "-" ? -minutes : minutes) * 60_000;
}

/** Between 1990 and 2100: outside, it was not a time, or not in the unit it was taken for. */
export function plausible(ms: number): number | undefined {
  return ms > 631_152_000_000 && ms < 4_102_444_800_000 ? Math.round(ms) : undefined;
}

/** A number that is a time in seconds, milliseconds, microseconds or nanoseconds: its size tells which. */
export function epochTime(value: number | bigint | undefined): number | undefined {
  const number = value === undefined ? 0 : Number(value);
  for (const perMs of [1, 1e-3, 1e3, 1e6]) {
    const ms = plausible(number / perMs);
    if (ms !== undefined) return ms;
  }
  return undefined;
}

/** Whatever a program may write for a time: ISO, or digits. */
export function anyTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{9,20}(\.\d+)?$/.test(text) ? epochTime(Number(text)) : isoTime(text);
}

/** .NET ticks: 100 ns since the year 1. */
export function ticksTime(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{18}$/.test(text)
    ? plausible(Number(BigInt(text) / 10_000n) - 62_135_596_800_000)
    : undefined;
}

/** A time as brokers and libraries put it into a header: their own kind of value, the bytes of an integer, or text. */
export function headerTime(value: HeaderValue | undefined): number | undefined {
  switch (value?.type) {
    case "timestamp":
    case "integer":
      return plausible(Number(value.value));
    case "bytes":
      return isAllDigits(value.value)
        ? anyTime(new TextDecoder().decode(value.value))
        : plausible(Number(bigEndian(value.value) ?? 0));
    case "text":
      return anyTime(value.value);
    default:
      return undefined;
  }
}
