import { expect, it, vi } from "vitest";
import { momentsOf } from "./moments.ts";

const at = "2026-11-15T14:04:31.500Z";
const now = () => Date.parse(at) + 38 * 60_000;

it("writes a moment as it is asked for, or as the column has it", () => {
  expect(momentsOf(null, now)(at)).toBe("38m");
  expect(momentsOf(null, now)(at, "utc")).toBe("2026-11-15 14:04:31Z");
  expect(momentsOf("relative", now)(at, "utc")).toBe("38m");
  expect(momentsOf("iso", now)(at)).toBe(at);
  expect(momentsOf("utc", now)("not known")).toBe("not known");
  expect(momentsOf("relative", () => 0)(at)).toBe("0ms");
});

it.each([
  ["Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25 02:30:00+02:00"],
  ["Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25 02:30:00+01:00"],
  ["America/St_Johns", "2026-11-15T14:04:31Z", "2026-11-15 10:34:31-03:30"],
  ["UTC", "2026-11-15T14:04:31Z", "2026-11-15 14:04:31+00:00"],
])("writes local time by the offset that held at that moment, and says which: %s %s", (zone, moment, local) => {
  vi.stubEnv("TZ", zone);
  expect(momentsOf("local", now)(moment)).toBe(local);
  vi.unstubAllEnvs();
});
