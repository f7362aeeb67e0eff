import { describe, expect, it } from "vitest";
import { type Catch, huntMutant } from "./hunt-mutants.ts";
import { breakSource, type Mutant, mutants } from "./mutants.ts";
import { runSeed } from "./run-seed.ts";
import { complaints } from "./summary.ts";

describe.each(mutants)("the mutant: $name", (mutant) => {
  it("is the code, changed in exactly one place", () => {
    expect(() => breakSource(mutant)).not.toThrow();
  });

  it("is caught within 1,000 seeds, by one that the code as it is passes", async () => {
    const { seed } = await hunt(mutant);
    expect(seed).not.toBeNull();
    expect(complaints(await runSeed(seed ?? 0))).toEqual([]);
  });
});

/** The seed that caught it last time first; another will do as well. */
async function hunt(mutant: Mutant): Promise<Catch> {
  const caught = await huntMutant(mutant, mutant.seed, mutant.seed);
  return caught.seed === null ? huntMutant(mutant, 1, 1_000) : caught;
}
