import { describe, expect, it } from "vitest";
import type { Context } from "../command.ts";
import { drawReplay, type ShownReplay } from "./show-replay.ts";

const id = "rpl_1";
const counts = {
  ...{ selected: 12, toSend: 12, ackRequired: 0, skipped: 0, excluded: 0, drifted: 0, sent: 0, inDoubt: 0 },
  ...{ confirmed: 0, presumed: 0, suppressed: 0, returned: 0, unknown: 0, waiting: 0 },
};

/** Drawn as wide as it likes. What drawing does not look at is left out. */
function drawn(replay: Partial<Omit<ShownReplay, "counts">> & { readonly counts?: Partial<ShownReplay["counts"]> }) {
  const whole = {
    ...{ id, name: "replay", state: "planned", verdict: null, planHash: "", policy: { hash: "" }, frozenAt: "" },
    ...{
      limits: { ramp: [], rate: 1, settleS: 0, haltReturns: 0 },
      approvalsNeeded: 0,
      exemption: null,
      approvals: [],
      returns: [],
    },
    ...{ destinations: [], arrivals: null },
    ...{
      notices: [],
      reasons: [],
      brokeGlass: false,
      haltedBy: null,
      waitsFor: null,
      nextStep: { command: null, label: "nothing" },
    },
    ...replay,
    counts: { ...counts, ...replay.counts },
  };
  const terminal = { columns: 500, paint: (_style: string, text: string) => text };
  return drawReplay(whole as unknown as ShownReplay, { terminal, when: (at: string) => at } as unknown as Context);
}

describe("a replay in the terminal", () => {
  const risk = { decision: "ack_required", code: "order.not_kept", n: 2, sentence: "Order.", change: "Say." } as const;
  const answer = `$ dlo replay acknowledge ${id} --code ${risk.code} --reason '…'`;

  it("says with each risk how to answer for it, for as long as one can", () => {
    expect(drawn({ reasons: [risk] })).toContain(answer);
    expect(drawn({ reasons: [{ ...risk, decision: "skip" }] })).not.toContain("dlo replay acknowledge");
    expect(drawn({ reasons: [risk], state: "cancelled" })).not.toContain("dlo replay acknowledge");
  });

  it("says where letters go", () => {
    const destinations = [
      { source: "rabbit", queue: "orders", n: 11 },
      { source: "rabbit", queue: "mails", n: 1 },
    ];
    expect(drawn({ destinations })).toMatch(/11 → rabbit\/orders\n +1 → rabbit\/mails/);
  });

  it("says what still fails meanwhile, and how to list it", () => {
    const arrivals = { n: 14, isAtLeast: false, q: `meanwhile:${id}` };
    expect(drawn({ arrivals })).toContain(`14 in these groups since start: dlo letters list -q meanwhile:${id}`);
    expect(drawn({ arrivals: { ...arrivals, n: 0 } })).toMatch(/new arrivals +0 in these groups since start\n/);
    expect(drawn({ arrivals: null })).not.toContain("new arrivals");
  });

  it("says why one waits of which nobody reports, and what lets it go on", () => {
    const waits = `nobody reported what became of 5 that were sent. Look there yourself; if all is well, dlo replay resume ${id}`;
    expect(drawn({ state: "paused", counts: { sent: 5, unknown: 5 } })).toContain(waits);
    expect(drawn({ state: "paused", counts: { sent: 5, confirmed: 5 } })).not.toContain("nobody reported");
  });
});
