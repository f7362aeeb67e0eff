import { expect, it } from "vitest";
import {
  instantIn,
  offsetName,
  showElapsed,
  showHour,
  showInColumn,
  showMoment,
  showWhen,
  showWhole,
  zoneNamed,
} from "../../web/ui/moment-words.ts";

const berlin = "Europe/Berlin";
const ms = Date.parse;
const now = ms("2026-11-15T14:04:31.500Z");

it("says a moment as the clocks of a zone show it, with their distance from UTC", () => {
  const said = (zone: string) => showMoment(now, { zone, now });
  expect(said("UTC")).toBe("14:04 UTC");
  expect(said(berlin)).toBe("15:04 UTC+1");
  expect(said("Asia/Kolkata")).toBe("19:34 UTC+5:30");
  expect(said("America/St_Johns")).toBe("10:34 UTC-3:30");
  expect(showMoment(now, { zone: berlin, now }, "second")).toBe("15:04:31 UTC+1");
  expect(showWhole(now, "Pacific/Auckland")).toBe("2026-11-16 03:04:31 UTC+13");
});

it("goes by the offset that held at the moment, not by that of today", () => {
  expect(showWhole(ms("2026-07-01T12:00:00Z"), berlin)).toBe("2026-07-01 14:00:00 UTC+2");
  expect([ms("2026-07-01T12:00Z"), now].map((at) => offsetName(at, "Europe/London"))).toEqual(["UTC+1", "UTC"]);
});

it("says how long ago it was, and from a day on its date, which is that of the zone", () => {
  const when = (at: string, zone = "UTC") => showWhen(ms(at), { zone, now });
  expect(when("2026-11-15T13:26:00Z")).toBe("38m");
  expect(when("2026-11-14T14:05:00Z")).toBe("23h");
  expect(when("2026-11-14T14:04:00Z")).toBe("2026-11-14");
  expect(when("2026-11-03T23:30:00Z", berlin)).toBe("2026-11-04");
  expect(showMoment(ms("2026-11-03T23:30:00Z"), { zone: berlin, now })).toBe("2026-11-04 00:30 UTC+1");
  expect(showMoment(ms("2026-11-17T00:00:00Z"), { zone: "UTC", now })).toBe("2026-11-17 00:00 UTC");
});

it("never says that something was a negative time ago", () => {
  expect(showElapsed(now + 3_000, { now })).toBe("1s");
  expect(showWhen(now + 3_000, { zone: "UTC", now })).toBe("1s");
});

it("says of an hour that comes twice which of the two it is, and of no other", () => {
  // Clocks in Berlin went back at 01:00 UTC.
  const hours = ["2026-10-24T23:00Z", "2026-10-25T00:00Z", "2026-10-25T01:00Z", "2026-10-25T02:00Z"].map((at) =>
    ms(at),
  );
  expect(hours.map((at) => showHour(at, berlin))).toEqual([
    "10-25 01:00",
    "10-25 02:00 UTC+2",
    "10-25 02:00 UTC+1",
    "10-25 03:00",
  ]);
  expect(showInColumn(ms("2026-10-25T00:30:05Z"), berlin)).toBe("2026-10-25 02:30:05 UTC+2");
  expect(showInColumn(ms("2026-10-25T01:30:05Z"), berlin)).toBe("2026-10-25 02:30:05 UTC+1");
  // Half an hour is repeated there, not a whole one.
  const lordHowe = "Australia/Lord_Howe";
  const halves = ["2026-04-04T14:00Z", "2026-04-04T14:30Z", "2026-04-04T15:00Z", "2026-04-04T15:30Z"].map((at) =>
    ms(at),
  );
  expect(halves.map((at) => showHour(at, lordHowe))).toEqual([
    "04-05 01:00",
    "04-05 01:30 UTC+11",
    "04-05 01:30 UTC+10:30",
    "04-05 02:00",
  ]);
});

it("has an hour that is skipped on no axis, and one row for each hour that there was", () => {
  const spring = Array.from({ length: 4 }, (_, at) => showHour(ms("2026-03-29T00:00Z") + at * 3_600_000, berlin));
  expect(spring).toEqual(["03-29 01:00", "03-29 03:00", "03-29 04:00", "03-29 05:00"]);
});

it("finds the moment that the clocks of a zone show", () => {
  const iso = (wall: string, zone = berlin) => new Date(instantIn(zone, wall)).toISOString();
  expect(iso("2026-11-15T14:00:00")).toBe("2026-11-15T13:00:00.000Z");
  expect(iso("2026-07-15T14:00:00")).toBe("2026-07-15T12:00:00.000Z");
  expect(iso("2026-11-15T14:00:00", "UTC")).toBe("2026-11-15T14:00:00.000Z");
  // Of the two the earlier, on either side of Greenwich; what is skipped is an hour later.
  expect(iso("2026-10-25T02:30:00")).toBe("2026-10-25T00:30:00.000Z");
  expect(iso("2026-11-01T01:30:00", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
  expect(iso("2026-03-29T02:30:00")).toBe("2026-03-29T01:30:00.000Z");
});

it("knows zones by name, also by a former one, and refuses what is none", () => {
  expect(zoneNamed("europe/berlin")).toBe(berlin);
  expect(zoneNamed("utc")).toBe("UTC");
  expect(zoneNamed("Asia/Kolkata")).toMatch(/^Asia\//);
  for (const none of ["", "Berlin", "Europe/Bärlin", "+01:00", "+05", "a b"]) expect(zoneNamed(none)).toBeNull();
});
