import { describe, expect, it } from "vitest";
import { compileCondition } from "./condition.ts";
import { type LetterFacts, noFacts } from "./letter-facts.ts";

const holds = (text: string, facts: Partial<LetterFacts> = {}) =>
  compileCondition(text).holds({ ...noFacts, ...facts });

describe("a condition", () => {
  it.each<[condition: string, facts: Partial<LetterFacts>]>([
    ["letter.queue == 'orders' && letter.attempts > 2", { queue: "orders", attempts: 3 }],
    ["letter.category in ['transient', 'unknown']", { category: "unknown" }],
    ["letter.confidence < 0.5", { confidence: 0.4 }],
    ["letter.schema.version >= 3", { schema: { name: "order", version: 3 } }],
    ["letter.past_ttl && letter.expires_at < 1794736806", { expiresAt: 1_794_736_805_123, isPastTtl: true }],
    ["error.message.contains('no stock')", { error: { ...noFacts.error, message: "there is no stock" } }],
    ["error.http == 409", { error: { ...noFacts.error, http: 409 } }],
    ["'x-tenant' in header && header['x-tenant'] == 'acme'", { headers: { "x-tenant": "acme" } }],
    ["body.total > 10 && body.lines.exists(line, line.sku == 'a')", { body: '{"total":12,"lines":[{"sku":"a"}]}' }],
    ["body == null", { body: "not json" }],
    ["consumer.service == 'shop'", { consumer: { service: "shop", version: null } }],
  ])("%s holds where it should, and not of a letter of which nothing is known", (condition, facts) => {
    expect(holds(condition, facts)).toBe(true);
    if (!condition.startsWith("body ==") && !condition.includes("confidence")) expect(holds(condition)).toBe(false);
  });

  it("does not hold where it cannot be worked out", () => {
    expect(holds("body.missing.further == 1", { body: "{}" })).toBe(false);
    expect(holds("header['absent'] == 'x'")).toBe(false);
  });

  it("sees plan and actor only where it is about a plan", () => {
    const plan = { n: 200, actor: { id: "ann", roles: ["operator"], kind: "human" } };
    const condition = compileCondition("plan.n > 100 && 'operator' in actor.roles", "plan");
    expect(condition.holds(noFacts, plan)).toBe(true);
    expect(() => compileCondition("plan.n > 100")).toThrow(/plan/);
  });

  it("parses the body only when asked for", () => {
    const body = "x".repeat(2_000_000);
    expect(holds("letter.queue == ''", { body })).toBe(true);
    expect(holds("body == null", { body })).toBe(true);
  });

  it.each([
    ["a misspelt name", "letter.queu == 'x'", /No such key: queu at character 8; did you mean `queue`\?/],
    ["types that do not fit", "letter.attempts + 'a' == 'b'", /no such overload/],
    ["what is no condition", "letter.attempts", /must be true or false, but is int/],
    ["what breaks off", "letter.queue ==", /Unexpected token/],
    ["patterns that may take for ever", "error.message.matches('(a+)+$')", /write a `pattern`/],
    ["loops in loops", "[1].all(a, [2].all(b, b > a))", /one loop inside another/],
    ["endless text", `letter.queue == '${"x".repeat(3_000)}'`, /longer than/],
  ])("refuses %s", (_what, text, message) => {
    expect(() => compileCondition(text)).toThrow(message);
  });
});
