import { expect, it } from "vitest";
import { pastTtl } from "./past-ttl.ts";

const at = "2026-11-15T10:00:00.000Z";
const then = Date.parse(at);

it.each([
  [-1, null],
  [0, "expired 0 s ago"],
  [59_999, "expired 59 s ago"],
  [60_000, "expired 1 min ago"],
  [3 * 3_600_000, "expired 3 h ago"],
  [50 * 3_600_000, "expired 2 d ago"],
])("says after %i ms: %s", (ms, said) => expect(pastTtl(at, then + ms)).toBe(said));

it("says nothing of a letter without a time to live", () => expect(pastTtl(null, then)).toBeNull());
