import { expect, it } from "vitest";
import { frozenAt, withInstants } from "./absolute-times.ts";
import { parseQuery } from "./parse-query.ts";

/** An hour ahead of UTC, all year. */
const anHourAhead = (wall: string) => Date.parse(`${wall}Z`) - 3_600_000;
const now = Date.parse("2026-11-15T14:04:31.500Z");

it.each([
  ["arrived:>=2026-11-15T14:00", "arrived:>=2026-11-15T13:00Z"],
  ["arrived:2026-11-15T14:00:30", "arrived:2026-11-15T13:00:30Z"],
  ["arrived:<2026-11-15T14:00:30.5", "arrived:<2026-11-15T13:00:30.500Z"],
  ["-enqueued:2026-11-15T00:10..2026-11-15T14:00", "-enqueued:2026-11-14T23:10Z..2026-11-15T13:00Z"],
  ['queue:orders (arrived:>"2026-11-15T14:00" OR age:>1h)', "queue:orders (arrived:>2026-11-15T13:00Z OR age:>1h)"],
  ["ARRIVED:2026-11-15T14:00,2026-11-16T14:00", "arrived:2026-11-15T13:00Z,2026-11-16T13:00Z"],
  ["failed:<=2026-11-15T14:00 changed:>=2026-11-15T14:00", "failed:<=2026-11-15T13:00Z changed:>=2026-11-15T13:00Z"],
])("reads times without a zone by the clocks of whoever typed them: %s", (typed, stored) => {
  expect(withInstants(typed, anHourAhead)).toBe(stored);
  expect(parseQuery(stored).kind).not.toBe("all");
});

it.each([
  ["arrived:2026-11-15", "arrived:2026-11-14T23:00Z..2026-11-15T23:00Z"],
  ["arrived:2026-11-15T14", "arrived:2026-11-15T13:00Z..2026-11-15T14:00Z"],
  ["arrived:>=2026-11-15", "arrived:>=2026-11-14T23:00Z"],
  ["arrived:<2026-11-15", "arrived:<2026-11-14T23:00Z"],
  // After the last minute of the day, and up to its end.
  ["arrived:>2026-11-15", "arrived:>2026-11-15T22:59Z"],
  ["arrived:<=2026-11-15", "arrived:<=2026-11-15T22:59Z"],
  ["arrived:2026-11-15..2026-11-17", "arrived:2026-11-14T23:00Z..2026-11-16T23:00Z"],
  ["arrived:2026-12-31", "arrived:2026-12-30T23:00Z..2026-12-31T23:00Z"],
])("takes a day for a day there, from midnight to midnight: %s", (typed, stored) => {
  expect(withInstants(typed, anHourAhead)).toBe(stored);
});

it.each([
  "",
  "arrived:>now-2h",
  "arrived:>=2026-11-15T14:00Z",
  "arrived:2026-11-15T14:00+02:00..now",
  "arrived:yesterday",
  "arrived:2026-13-45",
  'error:"arrived:2026-11-15" key:arrived:2026-11-15 key:2026-11-15 "arrived:2026-11-15T14:00"',
  "body.arrived:2026-11-15 arrived:",
  "nothing:2026-11-15",
])("leaves alone what is a moment already, or no time: %s", (typed) => {
  expect(withInstants(typed, anHourAhead)).toBe(typed);
});

it("changes nothing the second time, so that a link may be searched for again", () => {
  const once = withInstants("arrived:2026-11-15 enqueued:>2026-11-15T14:00", anHourAhead);
  expect(withInstants(once, anHourAhead)).toBe(once);
  expect(frozenAt(once, now)).toBe(once);
});

it.each([
  ["arrived:>now-2h", "arrived:>2026-11-15T12:04:31Z"],
  ["arrived:now-2h..now queue:orders", "arrived:2026-11-15T12:04:31Z..2026-11-15T14:04:31Z queue:orders"],
  ["age:>1h", "failed:<2026-11-15T13:04:31Z"],
  ["-age:1h", "-failed:<2026-11-15T13:04:31Z"],
  ["age:<=1h", "failed:>=2026-11-15T13:04:31Z"],
  ["age:1h..6h", "failed:<2026-11-15T08:04:31Z..2026-11-15T13:04:31Z"],
  ["(idle:>1d OR state:open)", "(changed:<2026-11-14T14:04:31Z OR state:open)"],
])("freezes what counts from now: %s", (q, frozen) => {
  expect(frozenAt(q, now)).toBe(frozen);
  expect(parseQuery(frozen).kind).not.toBe("all");
});

it.each(["expires:<12h", "age:>soon", 'error:"age:>1h"', "arrived:2026-11-15T14:00Z", "key:now"])(
  "leaves as it is what has no moment of its own: %s",
  (q) => {
    expect(frozenAt(q, now)).toBe(q);
  },
);
