import { describe, expect, it } from "vitest";
import { huntMutant } from "./hunt-mutants.ts";
import { breakSource, mutants } from "./mutants.ts";
import { isFailure, runSeed } from "./run-seed.ts";

describe.each(mutants)("the mutant: $name", (mutant) => {
  it("is the code, changed in exactly one place", () => {
    expect(() => breakSource(mutant)).not.toThrow();
  });

  it(`is caught by seed ${mutant.seed}, which the code as it is passes`, async () => {
    const caught = await huntMutant(mutant, mutant.seed, mutant.seed);
    expect(caught.seed).toBe(mutant.seed);
    expect(isFailure(await runSeed(mutant.seed))).toBe(false);
  });
});
