import type { Reporter, TestModule } from "vitest/node";

/** Says at the end which tests passed only when they were run again, so that nobody takes them for sound. */
export const secondRuns: Reporter = {
  onTestRunEnd(modules) {
    const shaky = modules.flatMap(passedSecondTime);
    if (shaky.length === 0) return;
    console.warn(
      `\n${shaky.length} passed only when run a second time. Each is a defect, of the test or of the product:`,
    );
    for (const name of shaky) console.warn(`  ${name}`);
  },
};

function passedSecondTime(module: TestModule): readonly string[] {
  const tests = [...module.children.allTests("passed")];
  return tests
    .filter((test) => test.diagnostic()?.flaky)
    .map(({ fullName }) => `${module.relativeModuleId} > ${fullName}`);
}
