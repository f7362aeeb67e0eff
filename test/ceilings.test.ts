import { describe, expect, it } from "vitest";
import { functionsOf, type Measured } from "./function-lengths.ts";
import { isTest, type Source, sourcesUnder } from "./sources.ts";

/**
 * Averages look after themselves; what hurts is the tail: the one file everything touches, the one function nobody can
 * hold in mind. So there are ceilings, in lines.
 */
const functionCeilings = { half: 10, nineInTen: 30, all: 60 };
const fileCeilings = { nineInTen: 250, all: 400 };

/** What may pass the highest ceiling, and why. `what` is as the failing test prints it, without the length. */
const exceptions: readonly { readonly what: string; readonly reason: string }[] = [];

const everything = sourcesUnder("src", "web", "test", "bench", "examples", "scripts", "bin", "launcher");
const shipped = everything.filter((source) => source.path.startsWith("src/") && !isTest(source));

describe.each([
  { part: "the repository", sources: everything },
  { part: "what is shipped", sources: shipped },
])("in $part", ({ sources }) => {
  const functions = sources.flatMap(functionsOf);
  const files = sources.map(fileLength);

  it(`half of the functions have at most ${functionCeilings.half} lines`, () => {
    expect(lengthReachedBy(0.5, functions)).toBeLessThanOrEqual(functionCeilings.half);
  });

  it(`nine in ten functions have at most ${functionCeilings.nineInTen} lines`, () => {
    expect(lengthReachedBy(0.9, functions)).toBeLessThanOrEqual(functionCeilings.nineInTen);
  });

  it(`every function has at most ${functionCeilings.all} lines`, () => {
    expect(longerThan(functionCeilings.all, functions).filter(isNotExcepted)).toEqual([]);
  });

  it(`nine in ten files have at most ${fileCeilings.nineInTen} lines`, () => {
    expect(lengthReachedBy(0.9, files)).toBeLessThanOrEqual(fileCeilings.nineInTen);
  });

  it(`every file has at most ${fileCeilings.all} lines`, () => {
    expect(longerThan(fileCeilings.all, files).filter(isNotExcepted)).toEqual([]);
  });
});

it("makes no exception that nothing needs any more", () => {
  const tall = [
    ...longerThan(functionCeilings.all, everything.flatMap(functionsOf)),
    ...longerThan(fileCeilings.all, everything.map(fileLength)),
  ];
  expect(exceptions.filter(({ what }) => !tall.some((measured) => measured.what === what))).toEqual([]);
});

function fileLength({ path, text }: Source): Measured {
  return { what: path, lines: text.trimEnd().split("\n").length };
}

function longerThan(ceiling: number, measured: readonly Measured[]): Measured[] {
  return measured.filter(({ lines }) => lines > ceiling);
}

function isNotExcepted({ what }: Measured): boolean {
  return !exceptions.some((exception) => exception.what === what);
}

/** The length that this share of them does not exceed; 0 when there are none. */
function lengthReachedBy(share: number, measured: readonly Measured[]): number {
  const lengths = measured.map(({ lines }) => lines).sort((a, b) => a - b);
  return lengths[Math.ceil(share * lengths.length) - 1] ?? 0;
}
