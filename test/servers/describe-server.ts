import { describe, it } from "vitest";

/**
 * Tests that need a server. Where it is `missing` they are one skipped test that says why; in CI that is a failure,
 * since nobody reads what was skipped there.
 */
export function describeServer(title: string, missing: string | undefined, tests: () => void): void {
  if (missing === undefined) {
    describe(title, tests);
    return;
  }
  describe(title, () => {
    console.warn(`Skipped: ${title}. ${missing}`);
    it.skipIf(!process.env.CI)(`is tested (${missing})`, () => {
      throw new Error(missing);
    });
  });
}
