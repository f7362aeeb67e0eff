import { expect, it } from "vitest";
import { largestOutage, outagesIn } from "./past-outage.ts";

const minuteMs = 60_000;
const span = (first: number, last = first) => ({ firstAt: first * minuteMs, lastAt: last * minuteMs });

it("tells outages apart by a pause, counted from when what failed before was given up", () => {
  const spans = [span(100), span(0, 50), span(75), span(200)];
  expect(outagesIn(spans).map((each) => each.length)).toEqual([3, 1]);
});

it("takes the outage that most failed in, by when they failed first", () => {
  const found = largestOutage([span(0), span(300), span(300, 302), span(301)]);
  expect(found).toMatchObject({ beganAt: 300 * minuteMs, endedAt: 302 * minuteMs });
  expect(found?.failures.filter((n) => n > 0)).toEqual([2, 1]);
  expect(largestOutage([])).toBeNull();
});
