import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, requiredLiteral } from "./pattern.ts";

describe("a pattern", () => {
  it("matches anywhere in the text, by the usual notation", () => {
    expect(compilePattern("period .* is closed$").matches("the period 2026-05 is closed")).toBe(true);
    expect(compilePattern("(?i)CLOSED").matches("it is closed")).toBe(true);
    expect(compilePattern("^closed").matches("it is closed")).toBe(false);
  });

  it("takes no longer for a cunning one", () => {
    expect(compilePattern("^(a+)+$").matches(`${"a".repeat(8_000)}b`)).toBe(false);
  });

  it.each([
    ["what is no pattern", "a(b", /is not a pattern/],
    ["looking ahead", "a(?=b)", /looking ahead or behind is not offered/],
    ["references back", String.raw`(a)\1`, /is not a pattern/],
    ["endless text", "a".repeat(2_000), /longer than/],
  ])("refuses %s", (_what, text, message) => {
    expect(() => compilePattern(text)).toThrow(message);
  });
});

describe("the text that every match must hold", () => {
  it.each([
    ["order .* is closed", " is closed"],
    ["abc?", "ab"],
    ["abc+d", "abc"],
    [String.raw`a\.bcd`, "bcd"],
    ["[abc]defg", "defg"],
    ["(abc)?de", "de"],
    ["abc|de", ""],
    ["(?i)abc", ""],
    ["((abc)d)?e", ""],
  ])("of %s is %j", (pattern, literal) => {
    expect(requiredLiteral(pattern)).toBe(literal);
  });

  it("never rules out what would match", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "ab",
      "a?",
      "b*",
      "(ab)?",
      "[ab]",
      ".",
      "a+",
      "(a|b)",
      "b{0,2}",
      String.raw`\w`,
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(pattern, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 }), (text, subject) => {
        expect(compilePattern(text).matches(subject)).toBe(new RegExp(text).test(subject));
      }),
    );
  });
});
