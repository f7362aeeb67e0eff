import { expect, it } from "vitest";
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

it("writes local time by the offset that held at that moment", () => {
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000;
  const local = new Date(Date.parse(at) - offsetMs).toISOString();
  expect(momentsOf("local", now)(at)).toBe(local.slice(0, 19).replace("T", " "));
});
