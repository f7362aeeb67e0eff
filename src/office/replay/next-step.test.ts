import { describe, expect, it } from "vitest";
import type { ReplayState } from "../../ledger/replay-record.ts";
import { nextStepOf } from "./next-step.ts";
import type { ReplayCounts } from "./replay-counts.ts";

const id = "rpl_1";
const nothing: ReplayCounts = {
  ...{ selected: 0, toSend: 0, ackRequired: 0, skipped: 0, excluded: 0, drifted: 0, notYetSent: 0, sent: 0 },
  ...{ confirmed: 0, presumed: 0, suppressed: 0, returned: 0, unknown: 0, waiting: 0, inDoubt: 0, released: 0 },
};

function codeOf(state: ReplayState, counts: Partial<ReplayCounts>): string {
  return nextStepOf({
    id,
    state,
    counts: { ...nothing, ...counts },
    approvalHash: "9c69cc0acf08",
    risks: [],
    reasons: [],
  }).code;
}

describe("the next step of a halted replay", () => {
  const commandAfter = (guard: "returns" | "destination" | "approval" | "breaker") =>
    nextStepOf({
      ...{ id, state: "halted", guard, counts: { ...nothing, selected: 2, toSend: 2 }, reasons: [] },
      ...{ approvalHash: "9c69cc0acf08", risks: ["order.not_kept", "key.missing"] },
    }).command;

  it("is what helps against its guard", () => {
    expect(commandAfter("returns")).toBe("dlo replay items rpl_1 --state returned");
    expect(commandAfter("destination")).toBe("dlo replay resume rpl_1 --reason '…'");
    expect(commandAfter("breaker")).toBe("dlo replay resume rpl_1 --reason '…'");
    expect(commandAfter("approval")).toBe(
      "dlo replay approve rpl_1 --hash 9c69cc0acf08 --risks order.not_kept,key.missing --as WHO",
    );
  });
});

describe("the next step of a plan", () => {
  it.each([
    ["planned", "ask"],
    ["awaiting_approval", "approve"],
    ["approved", "run"],
  ] as const)("that is %s is to %s, and another one where nothing of it would go", (state, code) => {
    expect(codeOf(state, { selected: 3, toSend: 2, ackRequired: 1 })).toBe(code);
    expect(codeOf(state, { selected: 3, ackRequired: 1, skipped: 2 })).toBe("acknowledge");
    expect(codeOf(state, { selected: 3, skipped: 3 })).toBe("look_at_reasons");
  });
});
