import { expect, it } from "vitest";
import { contractTests } from "./contract.ts";

const promises = [
  { title: "does one thing", run: (log: string[]) => Promise.resolve(void log.push("one")) },
  { title: "does another", waived: "does not claim it", run: () => Promise.reject(new Error("not to be run")) },
];

function setup(exempt: Record<string, string> = {}) {
  const log: string[] = [];
  const tests = contractTests(promises, exempt, async (run) => {
    log.push("open");
    await run(log);
    log.push("close");
  });
  return { tests, log };
}

it("gives each test a bench of its own", async () => {
  const { tests, log } = setup();
  await tests[0]?.run();
  expect(log).toEqual(["open", "one", "close"]);
});

it("says in the title why a promise is not held to, and does not run it", async () => {
  const { tests, log } = setup({ "does one thing": "the broker cannot" });
  expect(tests.map(({ title }) => title)).toEqual([
    "does one thing (exempt: the broker cannot)",
    "does another (exempt: does not claim it)",
    "is exempt from no promise that does not exist",
  ]);
  expect(tests.map(({ exempt }) => exempt)).toEqual(["the broker cannot", "does not claim it", undefined]);
  for (const test of tests) await test.run();
  expect(log).toEqual([]);
});

it("fails whoever is exempt from a promise that nobody made", async () => {
  const { tests } = setup({ "does one thin": "misspelt" });
  await expect(tests.at(-1)?.run()).rejects.toThrow("No test has the title: does one thin");
});
