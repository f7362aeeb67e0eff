import { describe, expect, it } from "vitest";
import { categories } from "../domain/classification.ts";
import { defaultProtocols } from "../domain/protocol.ts";
import { noFacts, type PlanFacts } from "../triage/conditions/letter-facts.ts";
import { defaultPolicy } from "./default-policy.ts";
import { parsePolicy } from "./policy-file.ts";
import { protocolFor, protocolOf } from "./protocol-for.ts";

const plan = (n: number): PlanFacts => ({ n, actor: { id: "ops-1", roles: ["operator"], kind: "human" } });
const transient = { ...noFacts, category: "transient" as const, queue: "payments" };

describe("the protocol of a letter", () => {
  it.each(categories)("is for %s what is built in, where the default policy holds", (category) => {
    expect(protocolOf(defaultPolicy(), category)).toEqual(defaultProtocols[category]);
    expect(protocolOf(parsePolicy("version: 1"), category)).toEqual(defaultProtocols[category]);
  });

  it("is what the file says, and what is built in where it says nothing", () => {
    const policy = parsePolicy(`version: 1
protocols:
  transient:
    bulk: false
    rate: 7
    ramp: { steps: [1, 2] }
    settle: { min: 90s }
    halt: { lag: null }
    gates: { trust: recorded }
    approvals: { n: 2, expires: 1h }`);
    const { transient: builtIn } = defaultProtocols;
    expect(protocolOf(policy, "transient")).toEqual({
      ...builtIn,
      ...{ allows: "single", rate: 7, ramp: [1, 2], settleS: 90, halt: { ...builtIn.halt, lag: null } },
      ...{ gates: { trust: "recorded" }, approvals: { ...builtIn.approvals, n: 2, expiresS: 3_600 } },
    });
    expect(protocolOf(policy, "poison")).toEqual(defaultProtocols.poison);
  });

  it("is changed by the overrides that hold, later ones last", () => {
    const policy = parsePolicy(`version: 1
overrides:
  - { when: 'letter.queue == "payments"', set: { rate: 5, batch: 9 } }
  - { when: plan.n > 100, set: { rate: 2 } }`);
    expect(protocolFor(policy, transient, plan(100))).toMatchObject({ rate: 5, batch: 9 });
    expect(protocolFor(policy, transient, plan(101))).toMatchObject({ rate: 2, batch: 9 });
    expect(protocolFor(policy, { ...transient, queue: "fax" }, plan(1))).toEqual(defaultProtocols.transient);
  });

  it("can be denied, by the name of what denies it", () => {
    const policy = parsePolicy(`version: 1
overrides:
  - { id: freeze, when: 'letter.queue.startsWith("pay")', deny: true }
  - { when: 'actor.kind == "agent"', deny: true }
  - { when: '"admin" in actor.roles', deny: false }`);
    expect(protocolFor(policy, transient, plan(1)).deniedBy).toBe("freeze");
    const agent: PlanFacts = { n: 1, actor: { id: "bot", roles: [], kind: "agent" } };
    expect(protocolFor(policy, { ...transient, queue: "fax" }, agent).deniedBy).toBe("override 2");
    const admin: PlanFacts = { n: 1, actor: { id: "ann", roles: ["admin"], kind: "human" } };
    expect(protocolFor(policy, transient, admin).deniedBy).toBeNull();
  });

  it("never allows more than its category means, whatever an override says", () => {
    const policy = parsePolicy("version: 1\noverrides: [{ when: 'true', set: { bulk: true, auto: true } }]");
    const allowed = categories.map((category) => protocolFor(policy, { ...noFacts, category }, plan(1)));
    expect(allowed.map(({ allows }) => allows)).toEqual(["bulk", "bulk", "single", "bulk", "never", "never"]);
    expect(allowed.map(({ auto }) => auto)).toEqual([true, false, false, false, false, false]);
  });
});
