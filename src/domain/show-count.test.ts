import { expect, it } from "vitest";
import { showCount, showPart } from "./show-count.ts";

it("has one of a thing in the singular, and many of them in the plural", () => {
  expect([showCount(1, "letter"), showCount(0, "letter"), showCount(1_204, "letter")]).toEqual([
    "1 letter",
    "0 letters",
    "1,204 letters",
  ]);
  expect(showCount(2, "is", "are")).toBe("2 are");
  expect([showPart(1, 3, "letter"), showPart(0, 1, "letter")]).toEqual(["1 of 3 letters is", "0 of 1 letter are"]);
});
