import { describe, expect, it } from "vitest";
import { createStormWatch } from "./storm.ts";

const start = Date.UTC(2026, 0, 1);

/** Fails messages `from` to `to` alike, one every `everyMs`; what the watch said to the last of them. */
function rain(watch: ReturnType<typeof createStormWatch>, { from = 1, to = 10, everyMs = 100, at = start } = {}) {
  let said: ReturnType<typeof watch.failed>;
  for (let n = from; n <= to; n++) said = watch.failed("alike", `message-${n}`, at + (n - from) * everyMs);
  return said;
}

it("tells of ten different messages failing alike within a minute, once", () => {
  const watch = createStormWatch();
  expect(rain(watch, { to: 9 })).toBeUndefined();
  expect(watch.isRaging("alike", start + 1_000)).toBe(false);
  expect(watch.failed("alike", "message-10", start + 900)).toEqual({ failure: "alike", messages: 10, since: start });
  expect(watch.isRaging("alike", start + 1_000)).toBe(true);
  expect(rain(watch, { from: 11, to: 50, at: start + 1_000 })).toBeUndefined();
});

it("tells again, once a window, while it goes on", () => {
  const watch = createStormWatch();
  rain(watch);
  const reports = Array.from({ length: 180 }, (_, n) => watch.failed("alike", `later-${n}`, start + 1_000 + n * 1_000));
  expect(reports.flatMap((storm, n) => (storm ? [n] : []))).toEqual([60, 120]);
});

it("is not fooled by one message that fails again and again", () => {
  const watch = createStormWatch();
  for (let n = 0; n < 100; n++) expect(watch.failed("alike", "the same", start + n)).toBeUndefined();
});

it("is not fooled by failures of different kinds, or by few over a long time", () => {
  const watch = createStormWatch();
  for (let n = 0; n < 100; n++) expect(watch.failed(`kind-${n}`, `message-${n}`, start)).toBeUndefined();
  expect(rain(watch, { to: 100, everyMs: 7_000 })).toBeUndefined();
});

it("counts a message by its latest failure, and the others not for longer because of it", () => {
  const watch = createStormWatch();
  rain(watch, { to: 9 });
  watch.failed("alike", "message-1", start + 50_000);
  expect(watch.failed("alike", "message-10", start + 70_000)).toBeUndefined();
});

it("is over when no more messages fail so, and the next one is told of anew", () => {
  const watch = createStormWatch();
  rain(watch);
  expect(watch.isRaging("alike", start + 60_000)).toBe(false);
  expect(rain(watch, { from: 100, to: 109, at: start + 120_000 })).toMatchObject({ messages: 10 });
});

it("forgets the failure not seen for longest when there are too many, never the ones that come again", () => {
  const watch = createStormWatch({ messages: 2 });
  watch.failed("often", "message-1", start);
  watch.failed("once", "message-1", start);
  for (let n = 0; n < 1_000; n++) {
    watch.failed(`other-${n}`, "message-1", start);
    if (n % 100 === 0) watch.failed("often", "message-1", start);
  }
  expect(watch.failed("often", "message-2", start)).toBeDefined();
  expect(watch.failed("once", "message-2", start)).toBeUndefined();
});

describe("options out of range", () => {
  it.each<[string, object]>([
    ["`storm.messages` must be a whole number, between 2 and 10000. It is 1.", { messages: 1 }],
    ["`storm.windowMs` must be a number", { windowMs: "60s" }],
    ["Did you mean `storm.windowMs`?", { windowMS: 5 }],
  ])("are refused: %s", (sentence, given) => expect(() => createStormWatch(given)).toThrow(sentence));
});
