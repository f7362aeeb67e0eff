import { describe, expect, it } from "vitest";
import { foreignLetters } from "../../test/dialects/letters.ts";
import { type MarkedFact, markLetter } from "../../test/dialects/score.ts";

const marks = foreignLetters().flatMap(markLetter);
const known = marks.filter((mark) => mark.known);

describe("letters that other people's libraries made", () => {
  it("are read with 99 of 100 facts that can be known right", () => {
    const right = known.filter(({ mark }) => mark === "right").length;
    expect(right / known.length, shown(known)).toBeGreaterThanOrEqual(0.99);
  });

  it("are read with not one in 200 facts wrong", () => {
    const wrong = known.filter(({ mark }) => mark === "wrong");
    expect(wrong.length / known.length, shown(wrong)).toBeLessThan(0.005);
  });

  it("seldom have a fact that their makers know better and that the letter cannot show to be wrong", () => {
    const unknowable = marks.filter((mark) => !mark.known && mark.mark === "wrong");
    expect(unknowable.length / known.length, shown(unknowable)).toBeLessThan(0.0075);
  });
});

function shown(some: readonly MarkedFact[]): string {
  const lines = some
    .filter(({ mark }) => mark !== "right")
    .map(
      ({ id, fact, mark, expected, found }) =>
        `${mark} ${id} ${fact}: ${JSON.stringify(expected)}, ${JSON.stringify(found)}`,
    );
  return `\n${lines.join("\n")}`;
}
