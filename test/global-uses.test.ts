import { expect, it } from "vitest";
import { usesOf } from "./global-uses.ts";
import { parseSource } from "./sources.ts";

const usesIn = (code: string) => usesOf(parseSource("a.ts", code)).map(({ name }) => name);

it("sees a global however it is reached", () => {
  const code =
    "const now = Date.now; globalThis.setTimeout(run, 1); const start = new Date(); process.stdout.write('');";
  expect(usesIn(code)).toEqual(
    expect.arrayContaining(["Date.now", "setTimeout", "new Date()", "process.stdout.write"]),
  );
});

it("tells a date of its own from a date that was given", () => {
  expect(usesIn("const heldAt = new Date(0);")).not.toContain("new Date()");
});

it("does not take a property for a global", () => {
  const uses = usesIn("clock.setTimeout(1); const fake = { setTimeout: 1, fetch() {} }; class A { performance = 1; }");
  expect(uses).toEqual(["clock.setTimeout", "fake", "A"]);
});

it("sees a global in a shorthand and as a default", () => {
  expect(usesIn("start({ setTimeout });")).toContain("setTimeout");
  expect(usesIn("function start(random = Math.random) {}")).toContain("Math.random");
});

it("names what is imported from Node, whole modules too", () => {
  const uses = usesIn(`
    import { randomUUID as id, createHash } from "node:crypto";
    import * as timers from "node:timers";
    const hooks = await import("node:perf_hooks");`);
  expect(uses).toEqual(
    expect.arrayContaining(["node:crypto randomUUID", "node:crypto createHash", "node:timers", "node:perf_hooks"]),
  );
});
