import { describe, expect, it } from "vitest";
import { defaultProtocols, type Protocol } from "../../domain/protocol.ts";
import { approvalsFor, stricter, strictest } from "./plan-terms.ts";

const careful = defaultProtocols.transient;
const ramped = (...ramp: readonly number[]): Protocol => ({ ...careful, ramp });

describe("what several kinds of letters in one plan ask for", () => {
  it("is a ramp with the smallest of each step, and none that ends where another goes on", () => {
    const rampOf = (...protocols: readonly Protocol[]) => strictest(protocols).ramp;
    expect(rampOf(ramped(5, 50), ramped())).toEqual([5, 50]);
    expect(rampOf(ramped(10), ramped(5, 50))).toEqual([5, 50]);
    expect(rampOf(ramped(1, 100), ramped(5, 50))).toEqual([1, 50]);
    expect(rampOf(ramped())).toEqual([]);
    expect(rampOf()).toEqual([]);
  });

  it("is never steeper than any of them would let somebody ask for", () => {
    const all = [ramped(10), ramped(), ramped(5, 50), ramped(7, 7, 7)];
    const { ramp } = strictest(all);
    for (const each of all) expect(() => stricter(strictest([each]), { ramp })).not.toThrow();
  });

  const ready = { decision: "replay", reason: "ready", revision: 0 } as const;
  const now = 1_000;
  const asked = { now, isNamed: false, isAuto: false };
  const approvedBy = (roles: Protocol["approvals"]["roles"], n = 1): Protocol => ({
    ...careful,
    approvals: { n, roles, expiresS: 60, exemptUpTo: 0 },
  });

  const place = (queue: string) => ({ source: "rabbit", queue });
  const anywhere = (protocol: Protocol) => ({ protocol, places: [place("orders")] });

  it("is none for a small plan, within what one person may replay of each queue in a day: the smallest of its letters", () => {
    const [ten, three] = [10, 3].map(
      (exemptUpTo): Protocol => ({
        ...careful,
        approvals: { ...careful.approvals, exemptUpTo, ...(exemptUpTo === 3 ? { n: 2, roles: ["admin"] } : {}) },
      }),
    ) as [Protocol, Protocol];
    const kinds = [
      { protocol: ten, places: [place("orders"), place("refunds")] },
      { protocol: three, places: [place("orders")] },
    ];
    const exemption = {
      ...{ needed: 2, roles: ["admin"] },
      queues: [
        { ...place("orders"), perDay: 15 },
        { ...place("refunds"), perDay: 50 },
      ],
    };
    expect(approvalsFor([ready], kinds, asked)).toMatchObject({ approvalsNeeded: 0, exemption });
    expect(approvalsFor([ready, ready, ready, ready], kinds, asked)).toMatchObject({
      approvalsNeeded: 2,
      exemption: null,
    });
    const free = { ...ten, approvals: { ...ten.approvals, n: 0 } };
    expect(approvalsFor([ready], [anywhere(free)], asked).exemption).toBeNull();
    const alone = [anywhere({ ...ten, auto: true })];
    expect(approvalsFor([ready], alone, { ...asked, isAuto: true })).toMatchObject({
      approvalsNeeded: 0,
      exemption: null,
    });
  });

  it("is an approval by a role that may approve each of them, whichever comes first", () => {
    const both = [approvedBy(["approver", "admin"]), approvedBy(["admin"], 2)];
    const placed = both.map(anywhere);
    const needed = { exemption: null, approvalsNeeded: 2, approverRoles: ["admin"], expiresAt: now + 60_000 };
    expect(approvalsFor([ready], placed, asked)).toEqual(needed);
    expect(approvalsFor([ready], placed.toReversed(), asked)).toEqual(needed);
  });

  it("does not heed the roles of letters that nobody has to approve", () => {
    const both = [approvedBy(["operator"], 0), approvedBy(["admin"])];
    expect(approvalsFor([ready], both.map(anywhere), asked)).toMatchObject({
      approvalsNeeded: 1,
      approverRoles: ["admin"],
    });
    expect(approvalsFor([ready], both.slice(0, 1).map(anywhere), asked)).toMatchObject({
      approvalsNeeded: 0,
      approverRoles: [],
    });
  });

  it("cannot be approved by anybody where no role may approve all, and is refused with the way out", () => {
    const apart = [approvedBy(["approver"]), approvedBy(["admin"])];
    expect(() => approvalsFor([ready], apart.map(anywhere), asked)).toThrow(
      "No role may approve all of these letters: the policy asks for approver for some, admin for others. Plan them apart",
    );
  });
});
