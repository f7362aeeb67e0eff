import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvalHash, hashPlan, type PlanHeader, type PlanItem } from "./plan-hash.ts";

const header: PlanHeader = {
  replay: "rpl_1",
  policyHash: "ab",
  limits: { rate: 20, batch: 50, ramp: [5, 50], settleS: 120, haltReturns: 0.05, haltLag: null },
  redirect: null,
};
const item: PlanItem = {
  n: 1,
  letter: "ltr_1",
  payloadSha256: "cd",
  revision: 0,
  destination: "orders",
  via: { exchange: "shop", routingKey: "order.created" },
  strip: ["x-death"],
  decision: "replay",
  reason: "ready",
};

function hashOf(planHeader: PlanHeader, items: readonly PlanItem[]): string {
  const hasher = hashPlan(planHeader);
  for (const each of items) hasher.add(each);
  return hasher.digest();
}

describe("the hash of a plan", () => {
  it("is what any program can compute from the plan's lines", () => {
    const lines = [
      '{"limits":{"batch":50,"haltLag":null,"haltReturns":0.05,"ramp":[5,50],"rate":20,"settleS":120},"policyHash":"ab","redirect":null,"replay":"rpl_1"}',
      '{"decision":"replay","destination":"orders","letter":"ltr_1","n":1,"payloadSha256":"cd","reason":"ready","revision":0,"strip":["x-death"],"via":{"exchange":"shop","routingKey":"order.created"}}',
    ];
    expect(hashOf(header, [item])).toBe(
      createHash("sha256")
        .update(`${lines.join("\n")}\n`)
        .digest("hex"),
    );
  });

  it.each<[string, PlanHeader, Partial<PlanItem>]>([
    ["the replay", { ...header, replay: "rpl_2" }, {}],
    ["the policy", { ...header, policyHash: "ac" }, {}],
    ["the rate", { ...header, limits: { ...header.limits, rate: 21 } }, {}],
    ["the ramp", { ...header, limits: { ...header.limits, ramp: [50, 5] } }, {}],
    ["the redirect", { ...header, redirect: "orders-2" }, {}],
    ["a letter", header, { letter: "ltr_2" }],
    ["its payload", header, { payloadSha256: "ce" }],
    ["its headers", header, { headersSha256: "ef" }],
    ["its revision", header, { revision: 1 }],
    ["its destination", header, { destination: "invoices" }],
    ["its route", header, { via: null }],
    ["what is stripped", header, { strip: [] }],
    ["its decision", header, { decision: "skip" }],
    ["its reason", header, { reason: "ttl.expired" }],
  ])("changes with %s", (_what, changed, itemChange) => {
    expect(hashOf(changed, [{ ...item, ...itemChange }])).not.toBe(hashOf(header, [item]));
  });

  it("does not see what else is known of a letter", () => {
    expect(hashOf(header, [{ ...item, state: "sent" } as PlanItem])).toBe(hashOf(header, [item]));
  });

  it("refuses a list with a gap or a repeat", () => {
    expect(() => hashOf(header, [item, { ...item, n: 3 }])).toThrow("Item 3 cannot follow item 1 of a plan.");
    expect(() => hashOf(header, [item, item])).toThrow(RangeError);
  });
});

describe("the hash of an approval", () => {
  it("is of the plan and of the acknowledged items, in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (acknowledged) => {
        expect(approvalHash("ab", acknowledged.toReversed())).toBe(approvalHash("ab", acknowledged));
      }),
    );
    expect(approvalHash("ab", [])).toBe(createHash("sha256").update("ab\n").digest("hex"));
    expect(approvalHash("ab", [10, 9])).toBe(createHash("sha256").update("ab\n9,10").digest("hex"));
  });

  it("changes with one more acknowledgement, and with the plan", () => {
    expect(approvalHash("ab", [1, 2])).not.toBe(approvalHash("ab", [1]));
    expect(approvalHash("ab", [12])).not.toBe(approvalHash("ab", [1, 2]));
    expect(approvalHash("ab", [1])).not.toBe(approvalHash("ac", [1]));
  });
});
