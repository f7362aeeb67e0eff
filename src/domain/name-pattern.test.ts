import { expect, it } from "vitest";
import { matchesName } from "./name-pattern.ts";

it("takes a star for any characters, none of them too, and everything else for itself", () => {
  const fits: readonly (readonly [pattern: string, name: string])[] = [
    ["rabbit/orders", "rabbit/orders"],
    ["*", ""],
    ["*", "rabbit/orders"],
    ["rabbit/*", "rabbit/"],
    ["*/orders*", "rabbit/orders.dlq"],
    ["a*b*a", "aba"],
    ["*ab*ab", "abab"],
    ["a**b", "ab"],
    ["a.c*", "a.c\nd"],
  ];
  expect(fits.filter(([pattern, name]) => !matchesName(pattern, name))).toEqual([]);
});

it("fits no name that is longer, shorter or only alike", () => {
  const others: readonly (readonly [pattern: string, name: string])[] = [
    ["", "a"],
    ["rabbit/orders", "rabbit/orders.dlq"],
    ["rabbit/orders", "my-rabbit/orders"],
    ["aba*aba", "ababa"],
    ["*ab*ab", "xab"],
    ["a*b*b", "ab"],
    ["a.c*", "abcd"],
    ["*b*a*", "ab"],
  ];
  expect(others.filter(([pattern, name]) => matchesName(pattern, name))).toEqual([]);
});

it("answers at once, however many stars somebody asks with", () => {
  expect(matchesName(`${"*".repeat(50)}x`, "a".repeat(200))).toBe(false);
  expect(matchesName(`${"*a".repeat(50)}*x*`, "a".repeat(200))).toBe(false);
});
