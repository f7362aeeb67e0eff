import { expect, it } from "vitest";
import { functionsOf } from "./function-lengths.ts";
import { parseSource } from "./sources.ts";

const lengthsIn = (code: string) =>
  functionsOf(parseSource("a.ts", code.trim())).map(({ what, lines }) => `${what.slice("a.ts ".length)} ${lines}`);

it("measures declarations, methods and arrows from first to last line", () => {
  const lengths = lengthsIn(`
function declared(): number {
  return 1;
}
class Box {
  get size(): number { return 1; }
  #hidden() {
    return 2;
  }
}
const arrow = (x: number) => {
  return x;
};
const methods = { open() {
} };`);
  expect(lengths).toEqual(["declared 3", "size 1", "#hidden 3", "arrow 3", "open 2"]);
});

it("leaves out inline arrows and overloads without a body", () => {
  expect(
    lengthsIn("export function twice(x: number): number;\nconst ids = letters.map((letter) => letter.id);"),
  ).toEqual([]);
});

it("counts a function within a function towards both", () => {
  expect(lengthsIn("function outer() {\n  function inner() {\n  }\n}")).toEqual(["outer 4", "inner 2"]);
});

it("takes a group of tests for a chapter and a test for a function", () => {
  const lengths = lengthsIn(`
describe.each([1, 2])("a group", () => {
  describe("within it", () => {
    it("does one thing", async () => {
      await one();
    });
  });
});`);
  expect(lengths).toEqual(['"does one thing" 3']);
});

it("does not charge a function for the tests it declares", () => {
  const lengths = lengthsIn(`
export function contract(name: string) {
  describe(name, () => {
    it("holds", () => {
      expect(1).toBe(1);
      expect(2).toBe(2);
    });
  });
}`);
  expect(lengths).toEqual(["contract 4", '"holds" 4']);
});
