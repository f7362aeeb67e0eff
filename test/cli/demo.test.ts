import { expect, it } from "vitest";
import { dlo, exitCodeOf, startDlo, textOf } from "./dlo.ts";

it("plays for as long as it was asked to, line by line where there is no terminal", async () => {
  const { code, stdout, stderr } = await dlo(["demo", "runtime", "--duration", "3", "--plain"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^1 of 8: All is well\n/);
  expect(stdout).toMatch(/^ {2}lost +0 /m);
});

it("tells the whole story in words, from the first order to the last account", async () => {
  const { code, stdout } = await dlo(["demo", "runtime", "--speed", "100"]);
  expect(code).toBe(0);
  expect(stdout).toContain("8 of 8: Everything is accounted for");
  for (const happening of [
    "breaker opens",
    "breaker closes",
    "quarantined as poison",
    "schema_mismatch",
    "came again",
  ]) {
    expect(stdout).toContain(happening);
  }
});

it("tells the same story at every speed", async () => {
  const stories = await Promise.all(
    [7, 80].map((speed) => dlo(["demo", "runtime", "--duration", "6", "--speed", String(speed)])),
  );
  expect(stories[0]?.stdout).toBe(stories[1]?.stdout);
});

it("gives lines of JSON with --json, the summary last", async () => {
  const { code, stdout } = await dlo(["demo", "runtime", "--json", "--speed", "100", "--seed", "3"]);
  const records = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(code).toBe(0);
  expect(records[0]).toMatchObject({ type: "act", number: 1 });
  expect(records.at(-1)).toMatchObject({ type: "summary", seed: 3, lost: 0, queued: 0 });
  expect(records.filter(({ type }) => type === "retried").length).toBeGreaterThan(10);
});

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("sums up and ends well on %s", async (signal) => {
  const child = startDlo(["demo", "runtime", "--plain"]);
  child.stdout?.once("data", () => child.kill(signal));
  const [stdout, code] = await Promise.all([textOf(child.stdout), exitCodeOf(child)]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}lost +0 /m);
});

it("refuses a speed that nobody could follow", async () => {
  const { code, stderr } = await dlo(["demo", "runtime", "--speed", "1e9"]);
  expect(code).toBe(2);
  expect(stderr).toContain("`--speed` must be a number, between 0.1 and 100.");
});
