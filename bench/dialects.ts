import { jsonText, parseJsonOrThrow } from "../src/dialects/json.ts";
import { readNotation } from "../src/dialects/notation/read-notation.ts";
import { readDeadLetter } from "../src/dialects/read-dead-letter.ts";
import { foreignLetters } from "../test/dialects/letters.ts";
import type { Suite, Variant } from "./suite.ts";

const reading = "readDeadLetter";
const parsing = "JSON.parse of the same letters";

/** Above that a letter is mostly content, and the time is that of parsing it. */
const usualLength = 16_384;

/** How fast dead letters of other libraries are read, beside merely parsing them from JSON. */
export function suite(): Suite {
  const fixtures = foreignLetters().map(({ fixture }) => fixture);
  const usual = fixtures.filter((fixture) => jsonText(fixture).length <= usualLength);
  const letters = usual.map((fixture) => readNotation(fixture).letter);
  const lines = usual.map(jsonText);
  return {
    about: `Letters that a second of processor time reads: ${letters.length} that libraries of others made, up to 16 KB each.`,
    unit: "letters/s",
    rounds: 11,
    variants: [
      variant(reading, letters.length, () => letters.forEach(readDeadLetter)),
      variant(parsing, lines.length, () => lines.forEach(parseJsonOrThrow)),
    ],
    ratios: [
      { name: "reading / parsing", value: (median) => median(reading) / median(parsing), goal: 0.1, is: "at least" },
    ],
  };
}

const repeats = 10;

function variant(name: string, letters: number, run: () => void): Variant {
  return {
    name,
    async sample() {
      // Not the time that passes: what else runs on the machine would be in it.
      const before = process.cpuUsage();
      for (let round = 0; round < repeats; round++) run();
      const { user, system } = process.cpuUsage(before);
      return (letters * repeats * 1_000_000) / (user + system);
    },
  };
}
