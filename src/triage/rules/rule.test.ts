import { describe, expect, it } from "vitest";
import { type FailureEvidence, noEvidence } from "../../domain/classification.ts";
import { compileCondition } from "../conditions/condition.ts";
import { compilePattern } from "../conditions/pattern.ts";
import { classifyWith, factsOf, type Rule } from "./rule.ts";

const rule = (given: Partial<Rule>): Rule => ({
  id: "r",
  when: null,
  pattern: { message: null, class: null, stack: null },
  category: "business_rule",
  sideEffect: null,
  confidence: 0.95,
  why: "We know this one.",
  tags: [],
  ...given,
});

const evidence: FailureEvidence = {
  ...noEvidence,
  errorClass: "RefundError",
  message: "period 5 is closed",
  attempts: 2,
};
const judge = (rules: readonly Rule[], of = evidence) => classifyWith(rules, of, factsOf(of));

describe("a team's own rules", () => {
  it("decide before anything built in, which stays visible as the runner-up", () => {
    const closed = rule({
      id: "closed",
      pattern: { message: compilePattern("period .* closed"), class: null, stack: null },
    });
    expect(judge([closed])).toMatchObject({
      category: "business_rule",
      confidence: 0.95,
      rule: "rule/closed",
      why: "We know this one.",
      runnerUp: { category: judge([]).category },
    });
  });

  it("give way to the handler's own word", () => {
    const any = rule({ when: compileCondition("true") });
    expect(judge([any], { ...evidence, ownWord: "schema" }).category).toBe("schema_mismatch");
  });

  it("are tried in order", () => {
    const first = rule({ id: "first", when: compileCondition("letter.attempts == 2"), category: "poison" });
    const second = rule({ id: "second", when: compileCondition("letter.attempts > 0") });
    expect(judge([first, second]).rule).toBe("rule/first");
    expect(judge([second, first]).rule).toBe("rule/second");
  });

  it("match only if condition and patterns all hold", () => {
    const pattern = { message: compilePattern("closed"), class: compilePattern("^Refund"), stack: null };
    expect(judge([rule({ pattern })]).rule).toBe("rule/r");
    expect(judge([rule({ pattern, when: compileCondition("letter.attempts > 2") })]).rule).not.toBe("rule/r");
    expect(judge([rule({ pattern: { ...pattern, class: compilePattern("^Order") } })]).rule).not.toBe("rule/r");
  });

  it("leave the side effect to the built-in judgement unless they name it", () => {
    const stalled = { ...noEvidence, message: "job stalled more than allowable limit" };
    const any = rule({ when: compileCondition("true") });
    expect(judge([any], stalled).sideEffect).toBe("uncertain");
    expect(judge([{ ...any, sideEffect: "none" }], stalled).sideEffect).toBe("none");
  });
});
