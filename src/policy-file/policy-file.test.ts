import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ConfigProblem } from "../config/config-problems.ts";
import { isOfficeError } from "../domain/errors.ts";
import { conditionNames } from "../triage/conditions/letter-facts.ts";
import { parsePolicy } from "./policy-file.ts";

const page = readFileSync(new URL("../../docs/reference/policy.md", import.meta.url), "utf8");

describe("a policy file", () => {
  it("may be as short as its version", () => {
    expect(parsePolicy("version: 1")).toMatchObject({ rules: [], protocols: {}, overrides: [] });
  });

  it("takes everything that the reference shows", () => {
    const { rules, protocols, overrides } = parsePolicy(/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
    expect([rules.length, Object.keys(protocols).length, overrides.length]).not.toContain(0);
  });

  it("has the names that the reference lists", () => {
    const names = Object.entries(conditionNames).flatMap(([group, fields]) =>
      Object.entries(fields).flatMap(([field, type]) =>
        typeof type === "string"
          ? [`${group}.${field}`]
          : Object.keys(type).map((inner) => `${group}.${field}.${inner}`),
      ),
    );
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it("keeps its hash through comments and layout, and loses it with a word", () => {
    const { hash } = parsePolicy("version: 1\nrules: [{ id: a, when: 'true', category: poison }]");
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(parsePolicy('# ours\nversion: 1\nrules:\n  - category: poison\n    id: a\n    when: "true"\n').hash).toBe(
      hash,
    );
    expect(parsePolicy("version: 1\nrules: [{ id: b, when: 'true', category: poison }]").hash).not.toBe(hash);
  });

  it.each<[what: string, text: string, line: number, path: string, sentence: RegExp]>([
    ["a misspelt key", "version: 1\nruls: []", 2, "ruls", /did you mean `rules`/],
    ["a misspelt key of a rule", "version: 1\nrules:\n  - id: a\n    wen: x", 4, "rules[0].wen", /did you mean `when`/],
    [
      "a condition",
      "version: 1\nrules:\n  - id: a\n    category: poison\n    when: letter.x",
      5,
      "rules[0].when",
      /No such key/,
    ],
    [
      "a pattern",
      "version: 1\nrules:\n  - id: a\n    category: poison\n    pattern:\n      message: '('",
      6,
      "rules[0].pattern.message",
      /not a pattern/,
    ],
    [
      "a category",
      "version: 1\nrules:\n  - { id: a, when: 'true', category: bad }",
      3,
      "rules[0].category",
      /one of transient/,
    ],
    [
      "a rule for every letter",
      "version: 1\nrules:\n  - { id: a, category: poison }",
      3,
      "rules[0]",
      /matches every letter/,
    ],
    [
      "an id twice",
      "version: 1\nrules:\n  - { id: a, when: 'true', category: poison }\n  - { id: a, when: 'true', category: poison }",
      4,
      "rules[1].id",
      /there twice/,
    ],
    [
      "a confidence",
      "version: 1\nrules:\n  - { id: a, when: 'true', category: poison, confidence: 2 }",
      3,
      "rules[0].confidence",
      /between 0 and 1/,
    ],
    ["a protocol", "version: 1\nprotocols:\n  transiet: {}", 3, "protocols.transiet", /did you mean `transient`/],
    [
      "a time",
      "version: 1\nprotocols:\n  transient: { approvals: { expires: soon } }",
      3,
      "protocols.transient.approvals.expires",
      /a time such as/,
    ],
    [
      "an override",
      "version: 1\noverrides:\n  - { when: plan.n, set: {} }",
      3,
      "overrides[0].when",
      /must be true or false/,
    ],
    [
      "bulk where nothing goes in bulk",
      "version: 1\nprotocols:\n  business_rule: { bulk: true }",
      3,
      "protocols.business_rule.bulk",
      /one by one, never in bulk/,
    ],
    [
      "a replay of what is never replayed",
      "version: 1\nprotocols:\n  lost_context: { bulk: true }",
      3,
      "protocols.lost_context.bulk",
      /never replayed/,
    ],
    [
      "replays without a person of anything but transient letters",
      "version: 1\nprotocols:\n  poison: { auto: true }",
      3,
      "protocols.poison.auto",
      /transient only/,
    ],
    [
      "a role nobody has",
      "version: 1\nprotocols:\n  poison: { approvals: { roles: [boss] } }",
      3,
      "protocols.poison.approvals.roles[0]",
      /one of viewer/,
    ],
    [
      "an override that changes nothing",
      "version: 1\noverrides:\n  - { when: plan.n > 1 }",
      3,
      "overrides[0]",
      /changes nothing/,
    ],
  ])("is refused for %s, with its line", (_what, text, line, path, sentence) => {
    expect(problemsIn(text)).toMatchObject([{ line, path, sentence }]);
  });
});

function problemsIn(text: string): readonly ConfigProblem[] {
  try {
    parsePolicy(text);
  } catch (error) {
    if (isOfficeError(error, "INVALID_CONFIG")) {
      const problems = error.details.problems as readonly ConfigProblem[];
      return problems.filter(({ sentence }) => sentence !== "is missing");
    }
    throw error;
  }
  return [];
}
