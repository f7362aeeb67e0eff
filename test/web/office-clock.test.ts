import { expect, it } from "vitest";
import { officeClock } from "../../web/app/office-clock.ts";

const hourMs = 3_600_000;
const noon = Date.parse("2026-11-15T12:00:00.400Z");

/** A clock here that is off by so much, and an office that answers after `tookMs`. */
function clockThatIsOff(offMs: number) {
  const here = { offMs, at: noon };
  const clock = officeClock(() => here.at + here.offMs);
  const ask = (tookMs = 40) => {
    const sentAt = here.at + here.offMs;
    here.at += tookMs / 2;
    const date = new Date(here.at).toUTCString();
    here.at += tookMs / 2;
    clock.hear({ date, sentAt, heardAt: here.at + here.offMs });
  };
  return { here, clock, ask };
}

it("takes the time from here until the office says what time it is there", () => {
  const { here, clock } = clockThatIsOff(hourMs);
  expect(clock.now()).toBe(here.at + hourMs);
});

it.each([hourMs, -hourMs, 5_000, -5_000])("goes by the office's clock where the one here is off by %i ms", (offMs) => {
  const { here, clock, ask } = clockThatIsOff(offMs);
  ask();
  expect(Math.abs(clock.now() - here.at)).toBeLessThan(1_000);
  expect(Math.abs(clock.at(noon + offMs) - noon)).toBeLessThan(1_000);
});

it.each([0, 900, -900])("leaves alone a clock that differs by no more than an answer can tell: %i ms", (offMs) => {
  const { here, clock, ask } = clockThatIsOff(offMs);
  for (let n = 0; n < 20; n++) {
    ask();
    here.at += 737;
  }
  expect(clock.now()).toBe(here.at + offMs);
});

it("learns more with each answer, and is not misled by one that took long", () => {
  const { here, clock, ask } = clockThatIsOff(hourMs);
  ask(30_000);
  for (let n = 0; n < 20; n++) {
    ask();
    here.at += 737;
  }
  ask(60_000);
  expect(Math.abs(clock.now() - here.at)).toBeLessThan(250);
});

it("follows a clock that is set while the page is open", () => {
  const { here, clock, ask } = clockThatIsOff(hourMs);
  ask();
  here.offMs = 0;
  ask();
  expect(clock.now()).toBe(here.at);
});

it("takes nothing from an answer that does not say when it was written", () => {
  const { here, clock } = clockThatIsOff(hourMs);
  for (const date of [null, "", "soon"]) clock.hear({ date, sentAt: 0, heardAt: 1 });
  expect(clock.now()).toBe(here.at + hourMs);
});
