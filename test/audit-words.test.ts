import { expect, it } from "vitest";
import { auditSentence } from "../src/office/audit/audit-words.ts";
import { sourcesUnder } from "./sources.ts";

/** Each action that the sources write down under its own name. */
const actions = new Set(
  sourcesUnder("src")
    .filter(({ path }) => !path.endsWith(".test.ts"))
    .flatMap(({ text }) => [...text.matchAll(/action: "([a-z]+\.[a-z_]+)"/g)].map(([, action]) => action ?? "")),
);

it("has words of its own for each action that is written down", () => {
  expect(actions.size).toBeGreaterThan(40);
  const wordless = [...actions].filter((action) => auditSentence(action, {}) === action.replaceAll(/[._]/g, " "));
  expect(wordless).toEqual([]);
});
