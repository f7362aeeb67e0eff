import { expect, it } from "vitest";
import { sidesInWords } from "./gate-words.ts";

const fix = { kind: "fix", called: "4.2.1", at: 0 } as const;

it("counts letters on the sides of a gate for what they are: all of them, or the oldest that were looked at", () => {
  const sides = { before: 1_200, after: 3, unknown: 0 };
  expect(sidesInWords(fix, { ...sides, isAll: true })).toBe(
    " 1,200 failed before it and may go. 3 failed after it: proof that it does not cover every case.",
  );
  expect(sidesInWords(fix, { ...sides, isAll: false })).toMatch(
    /^ Of the 1,203 oldest 1,200 failed before it and may go\. 3 failed after it:/,
  );
  expect(sidesInWords(fix, { before: 50, after: 0, unknown: 0, isAll: false })).toBe("");
});
