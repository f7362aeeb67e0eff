import { describe, expect, it } from "vitest";
import type { Category } from "../domain/classification.ts";
import { categoryProtocols } from "./category-protocols.ts";
import { defaultPolicy } from "./default-policy.ts";
import { parsePolicy } from "./policy-file.ts";

function said(text: string, of: Category) {
  const found = categoryProtocols(text === "" ? defaultPolicy() : parsePolicy(text)).find(
    ({ category }) => category === of,
  );
  if (found === undefined) throw new Error(`nothing is said of ${of}`);
  return found;
}

describe("a policy by category", () => {
  it("says in plain words how letters go, what stops them and who has to approve", () => {
    expect(said("", "transient").sentences).toEqual([
      "May go back in bulk; one that came back as transient again, only after a fix was recorded.",
      "They go at most 20 a second and 50 at once, in steps of 5, 50 and the rest.",
      "Each step is watched for 2 minutes, longer where letters take longer to fail; where nobody can say how it went, the replay pauses.",
      "A replay stops by itself when more than 5 % of a step come back, or where they go is more than 5,000 messages behind.",
      "A plan of more than 10 letters needs the approval of one person with the role approver or admin, other than who asks; so does a smaller one, unless all of its letters are ready, unedited and classified by no person.",
      "Without approval one person may replay 50 letters of a queue within 24 hours.",
      "A plan and its approval hold for 4 hours.",
      "A letter goes back at most 3 times.",
      "Where a duplicate would not be recognized, a plan needs an approval until a person accepts duplicates in that queue.",
      "None goes by itself: a person plans it.",
    ]);
  });

  it("says of what goes one by one nothing about steps, and of what never goes nothing but that", () => {
    expect(said("", "business_rule").sentences).toContain("It goes at most 20 a second.");
    expect(said("", "business_rule").sentences).toContain(
      "Every plan needs the approval of one person with the role approver or admin, other than who asks.",
    );
    for (const category of ["lost_context", "unknown"] as const)
      expect(said("", category)).toMatchObject({
        sentences: [expect.stringMatching(/^Never go back/), "No policy can allow it."],
        ...{ parameters: [], overrides: [] },
      });
  });

  it("follows the file where it says otherwise, with the line that does", () => {
    const text = `version: 1
protocols:
  schema_mismatch:
    bulk: false
    halt: { lag: null, returns: 0.125 }
    gates: { trust: recorded }
    approvals: { n: 2, expires: 90s, exemptUpTo: 3 }
    health: ["https://a.example/up"]`;
    const { sentences, parameters } = said(text, "schema_mismatch");
    expect(sentences).toEqual(
      expect.arrayContaining([
        "Only a deploy that somebody recorded opens that gate.",
        "A replay stops by itself when more than 12.5 % of a step come back.",
        "A plan needs the approval of 2 people with the role approver or admin, other than who asks, unless all of its letters are ready, unedited and classified by no person.",
        "A plan and its approval hold for 90 seconds.",
        "Nothing goes unless https://a.example/up answers well.",
      ]),
    );
    const lineOf = (key: string) => parameters.find((each) => each.key === key)?.line;
    expect(lineOf("approvals.n")).toBe(7);
    expect(lineOf("rate")).toBeNull();
  });

  it("names the overrides that change something for it, with condition and line", () => {
    const text = `version: 1
overrides:
  - when: letter.queue.startsWith("payments") && plan.n > 100
    set: { approvals: { n: 2 }, bulk: false }
  - id: quarter-end
    when: letter.category == "poison" && actor.kind != "human"
    deny: true`;
    const [first] = said(text, "transient").overrides;
    expect(first).toEqual({
      ...{ name: "override 1", when: 'letter.queue.startsWith("payments") && plan.n > 100', line: 3 },
      changes: ["bulk: no, instead of yes", "approvals.n: 2, instead of 1"],
    });
    expect(said(text, "transient").overrides).toHaveLength(1);
    expect(said(text, "poison").overrides.map(({ name, changes }) => [name, ...changes])).toEqual([
      ["override 1", "bulk: no, instead of yes", "approvals.n: 2, instead of 1"],
      ["quarter-end", "It is forbidden altogether."],
    ]);
    // What goes one by one anyway is not told that it does.
    expect(said(text, "business_rule").overrides[0]?.changes).toEqual(["approvals.n: 2, instead of 1"]);
  });

  it("leaves no override out whose condition only mentions a category", () => {
    const text = `version: 1
overrides:
  - { when: 'letter.category == "poison" || letter.queue == "a"', deny: true }
  - { when: '!(letter.category == "poison")', deny: true }`;
    expect(said(text, "transient").overrides).toHaveLength(2);
  });
});
