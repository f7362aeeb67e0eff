import { expect, it } from "vitest";
import type { Ending } from "../../demo/story.ts";
import { terminalOf } from "../terminal/terminal.ts";
import { endingLines } from "./ending.ts";

const whole: Ending = {
  sent: 320,
  orders: 315,
  charged: 310,
  chargedTwice: 0,
  duplicates: 5,
  deadLettered: { schema_mismatch: 1, unprocessable: 1 },
  quarantined: { poison: 1 },
  queued: 2,
  lost: 0,
  retries: 36,
  recovered: 23,
  tookMs: 66_000,
};

function lines(ending: Ending, columns = 80): string[] {
  return endingLines(ending, 1, terminalOf({ write: () => {}, columns }, {}));
}

it("says where every message is, dead letters by their reason", () => {
  const text = lines(whole).join("\n");
  expect(text).toContain("What became of 320 messages in 1 min 6 s (seed 1)");
  expect(text).toMatch(/charged +310 {2}23 of them after a failure; 36 retries in all/);
  expect(text).toMatch(/dead-lettered +2 {2}schema_mismatch 1, unprocessable 1/);
  expect(text).toMatch(/quarantined +1 {2}poison 1/);
  expect(text).toMatch(/still queued +2 {2}the next consumer would go on with them/);
});

it("does not hide a loss", () => {
  expect(lines({ ...whole, lost: 3 }).join("\n")).toMatch(/lost +3 /);
});

it("fits into 80 columns", () => {
  expect(lines(whole).filter((line) => line.length > 80)).toEqual([]);
});
