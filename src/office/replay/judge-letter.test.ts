import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { categories } from "../../domain/classification.ts";
import type { DuplicateFacts, KnownDestination, LetterFacts, PolicyFacts, ReplayFacts } from "./facts.ts";
import { judgeLetter } from "./judge-letter.ts";
import { type ReasonCode, reasonCodes } from "./reasons.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 0, 15, 12);

const letter: LetterFacts = {
  queue: "orders",
  category: "transient",
  state: { kind: "open" },
  failedAt: { kind: "known", at: now - 2 * hour },
  expiresAt: null,
  payload: { kind: "whole" },
  revision: { planned: 0, latest: 0 },
  editRefused: null,
  replays: 0,
  cameBackAs: null,
  repeatOf: null,
};
const policy: PolicyFacts = {
  allows: "bulk",
  deniedBy: null,
  maxReplays: 3,
  maxLag: 5_000,
  clockSkewMs: 60_000,
  effects: "told",
  duplicates: "once",
  approvals: 1,
};
const destination: KnownDestination = {
  kind: "known",
  queue: "orders",
  via: null,
  keepsNextDeath: true,
  keepsOrder: "always",
  otherGroups: [],
  breakers: [],
  redChecks: [],
  lag: 0,
};
const safe: ReplayFacts = {
  letter,
  policy,
  planned: 50,
  mayReplay: true,
  approval: { kind: "given" },
  deploy: { kind: "unknown" },
  fix: null,
  destination,
  outlook: null,
  order: null,
  effect: { kind: "none" },
  duplicates: null,
  isExempt: false,
  isUntold: false,
  restoredTo: null,
  acknowledged: new Set(),
  now,
};

const withLetter = (changes: Partial<LetterFacts>, more: Partial<ReplayFacts> = {}): Partial<ReplayFacts> => ({
  letter: { ...letter, ...changes },
  ...more,
});
const withPolicy = (changes: Partial<PolicyFacts>): Partial<ReplayFacts> => ({ policy: { ...policy, ...changes } });
const at = (changes: Partial<KnownDestination>): Partial<ReplayFacts> => ({
  destination: { ...destination, ...changes },
});
const unrecognized = (
  standing: Pick<DuplicateFacts, "kind"> & { readonly windowMs?: number },
  more: Partial<DuplicateFacts> = {},
): Partial<ReplayFacts> => ({
  // The kind decides which of its fields there are; the compiler cannot follow that through a spread.
  duplicates: { ...standing, place: "rabbit/orders", queue: "orders", isAccepted: false, ...more } as DuplicateFacts,
});
const schema = (deploy: ReplayFacts["deploy"], failedAt = letter.failedAt) =>
  withLetter({ category: "schema_mismatch", failedAt }, { deploy });
const poison = (fixedAt: number, failedAt = letter.failedAt) =>
  withLetter({ category: "poison", failedAt }, { fix: { fix: "fix_1", fixedAt } });
const arrived = (before: number) => ({ kind: "bound", before }) as const;

/** What a broker takes is known once it has refused something. */
const isForeseen = (code: ReasonCode) => code !== "message.too_large";
const foreseen = reasonCodes.filter(isForeseen) as readonly Exclude<ReasonCode, "message.too_large">[];

/** For each code, facts that differ from safe ones in the one thing it is about. */
const cases: Record<(typeof foreseen)[number], Partial<ReplayFacts>> = {
  ready: {},
  "breaker.half_open_trial": at({ breakers: [{ kind: "half_open", breaker: "cards", since: now, trial: true }] }),
  "side_effect.uncertain": { effect: { kind: "uncertain", because: { kind: "failure", why: "It hung up." } } },
  "key.missing": unrecognized({ kind: "key_missing" }),
  "idempotency.none": unrecognized({ kind: "not_reported" }),
  "idempotency.expired": unrecognized({ kind: "expired", windowMs: 24 * hour }),
  "side_effect.unchecked": { effect: { kind: "unchecked" }, ...withPolicy({ effects: "strict" }) },
  "probe.failed": { effect: { kind: "probe_failed", probe: "card-charged" } },
  "deploy.time_unknown": schema({ kind: "handles", service: "shop", deployedAt: now - hour }, arrived(now)),
  "fix.time_unknown": poison(now - hour, arrived(now)),
  "destination.next_death_lost": at({ keepsNextDeath: false }),
  "destination.not_checked": {
    destination: { kind: "not_asked", via: null, why: "kafka-1:9092 refused the connection" },
  },
  "destination.shared": at({ otherGroups: ["mailer"] }),
  "order.not_kept": { order: { predecessor: null, notKeptBy: "sqs" } },
  "ledger.restored": { restoredTo: now - hour },
  "scope.no_permission": { mayReplay: false },
  "already.resolved": withLetter({ state: { kind: "decided", state: "dropped" } }),
  claimed: withLetter({ state: { kind: "claimed", replay: "rpl_1" } }),
  "send.in_doubt": withLetter({ state: { kind: "in_doubt", replay: "rpl_1" } }),
  "payload.missing": withLetter({ payload: { kind: "missing" } }),
  "payload.cut": withLetter({ payload: { kind: "cut", keptBytes: 1_024 } }),
  "edit.superseded": withLetter({ revision: { planned: 1, latest: 2 } }),
  "edit.refused": withLetter({ editRefused: 'There is nothing at "/total".' }),
  "category.unknown": withLetter({ category: "unknown" }),
  "policy.never": withLetter({ category: "lost_context" }),
  "policy.no_bulk": withLetter({ category: "business_rule" }),
  "policy.denied": withPolicy({ deniedBy: "override 2" }),
  "approval.missing": { approval: { kind: "missing", needed: 1, given: 0 } },
  "approval.expired": { approval: { kind: "expired", expiredAt: now - 1 } },
  "approval.nobody": { approval: { kind: "nobody", roles: ["approver"] } },
  "deploy.unknown": schema({ kind: "unknown" }),
  "deploy.not_newer": schema({ kind: "does_not_handle", service: "shop", version: "2.1.0", schema: "order v3" }),
  "deploy.unrecorded": schema({ kind: "unrecorded", service: "shop", schema: "order v3" }),
  "deploy.arrived_after": schema({ kind: "handles", service: "shop", deployedAt: now - 3 * hour }),
  "fix.missing": withLetter({ category: "poison" }),
  "fix.arrived_after": poison(now - 3 * hour),
  "repeat.probable": withLetter({ repeatOf: "ltr_1" }),
  "ttl.expired": withLetter({ expiresAt: now }),
  "source.gone": { destination: { kind: "source_gone", source: "rabbit-eu" } },
  "source.cannot_take": { destination: { kind: "source_cannot_take", source: "kafka-eu" } },
  "destination.unknown": { destination: { kind: "unknown" } },
  "destination.ambiguous": { destination: { kind: "ambiguous", candidates: ["a", "b"] } },
  "destination.missing": { destination: { kind: "missing", destination: "orders" } },
  "job.moved": { outlook: { kind: "moved" } },
  "job.as_is": { outlook: { kind: "changed", by: "edit" } },
  "job.refused": { outlook: { kind: "refused", why: "It holds a lock.", change: "Release the lock." } },
  "breaker.open": at({ breakers: [{ kind: "half_open", breaker: "cards", since: now, trial: false }] }),
  "health.red": at({ redChecks: ["payments-api"] }),
  "lag.high": at({ lag: 5_001 }),
  "order.predecessor_dead": { order: { predecessor: "ltr_1", notKeptBy: null } },
  "side_effect.done": { effect: { kind: "done" } },
  "attempts.exhausted": withLetter({ replays: 3 }),
  "returned.again": withLetter({ replays: 1, cameBackAs: "transient" }),
};

const judge = (changes: Partial<ReplayFacts>) => judgeLetter({ ...safe, ...changes });

describe("judging one letter", () => {
  it.each(foreseen)("%s: its own facts give that reason, with a sentence and a way on", (code) => {
    const judgement = judge(cases[code]);
    expect(judgement.code).toBe(code);
    expect(judgement.sentence).toMatch(/^[A-Z].*\.$/su);
    // What goes needs no change, except an approval where a duplicate would not be recognized.
    const isTold = cases[code].duplicates !== undefined;
    if (!isTold) expect(judgement.change === "").toBe(judgement.decision === "replay");
  });

  it.each(foreseen)("%s: what a person answers for goes, what forbids stays", (code) => {
    const { decision } = judge({ ...cases[code], acknowledged: new Set(reasonCodes) });
    expect(decision).toBe(judge(cases[code]).decision === "skip" ? "skip" : "replay");
  });

  it("says how many runs a job gets that is put back, whatever else there is to say, unless it stays", () => {
    const outlook = { kind: "runs", runs: 3 } as const;
    expect(judge({ outlook }).sentence).toBe("Nothing speaks against it. Put back, it gets up to 3 runs.");
    expect(judge({ outlook: { kind: "runs", runs: 1 } }).sentence).toMatch(/it gets one run\.$/u);
    expect(judge({ outlook: { kind: "runs", runs: null } }).sentence).toMatch(/one run, and more if its workers/u);
    expect(judge({ ...cases["probe.failed"], outlook }).sentence).toMatch(/it gets up to 3 runs\.$/u);
    expect(judge({ ...cases["fix.missing"], outlook }).sentence).not.toMatch(/runs/u);
  });

  it.each([
    ["side_effect.uncertain", "probe.failed"],
    ["probe.failed", "side_effect.uncertain"],
  ] as const)("takes somebody's word about %s for %s as well, and for nothing else", (said, code) => {
    const acknowledged = new Set([said]);
    expect(judge({ ...cases[code], acknowledged }).code).toBe("ready");
    expect(judge({ ...cases["side_effect.done"], acknowledged }).code).toBe("side_effect.done");
    expect(judge({ ...cases["ledger.restored"], acknowledged }).code).toBe("ledger.restored");
  });

  it("lets a letter go of which a duplicate would not be recognized as its policy says, and as somebody accepted", () => {
    const decided = (duplicates: "once" | "ask" | "refuse", kind: "key_missing" | "expired", isAccepted: boolean) => {
      const facts = { ...unrecognized({ kind, windowMs: hour }, { isAccepted }), ...withPolicy({ duplicates }) };
      const { decision, code } = judge(facts);
      return [decision, code];
    };
    expect(decided("once", "key_missing", false)).toEqual(["replay", "key.missing"]);
    expect(decided("once", "key_missing", true)).toEqual(["replay", "ready"]);
    expect(decided("once", "expired", false)).toEqual(["ack_required", "idempotency.expired"]);
    expect(decided("once", "expired", true)).toEqual(["replay", "ready"]);
    for (const isAccepted of [false, true]) {
      expect(decided("ask", "key_missing", isAccepted)).toEqual(["ack_required", "key.missing"]);
      expect(decided("refuse", "key_missing", isAccepted)).toEqual(["skip", "key.missing"]);
    }
    // Planned while somebody accepted it, so without an approval; and nobody does any more.
    const exempt = {
      ...unrecognized({ kind: "key_missing" }),
      isExempt: true,
      approval: { kind: "not_needed" } as const,
    };
    expect(judge(exempt).code).toBe("approval.missing");
    // Approved, or shown before it is started, by a plan that did not say so.
    for (const kind of ["given", "pending"] as const)
      expect(judge({ ...unrecognized({ kind: "key_missing" }), isUntold: true, approval: { kind } })).toMatchObject({
        ...{ code: "approval.missing", change: "Plan it again, or accept duplicates in its queue." },
      });
  });

  it("names what forbids before what could be answered for, whatever their order", () => {
    const risky = { ...cases["destination.next_death_lost"], ...cases["side_effect.done"] };
    expect(judge(risky).code).toBe("side_effect.done");
  });

  it("lets any two reasons only make a letter less allowed", () => {
    const rank = { replay: 0, ack_required: 1, skip: 2 };
    fc.assert(
      fc.property(fc.constantFrom(...foreseen), fc.constantFrom(...foreseen), (one, other) => {
        // Where both touch the same fact, the second replaces the first; only disjoint facts are a combination.
        fc.pre(Object.keys(cases[one]).every((fact) => !(fact in cases[other])));
        const both = judge({ ...cases[one], ...cases[other] });
        expect(rank[both.decision]).toBeGreaterThanOrEqual(
          Math.max(rank[judge(cases[one]).decision], rank[judge(cases[other]).decision]),
        );
      }),
    );
  });

  it("takes a business rule alone, and never in bulk, whatever the policy allows", () => {
    expect(judge({ ...cases["policy.no_bulk"], planned: 1 }).decision).toBe("replay");
    expect(judge(cases["policy.no_bulk"]).decision).toBe("skip");
  });

  it("never sends what lost its context or is not understood", () => {
    for (const category of ["lost_context", "unknown"] as const) {
      expect(judge({ ...withLetter({ category }), planned: 1, acknowledged: new Set(reasonCodes) }).decision).toBe(
        "skip",
      );
    }
  });

  it("obeys a policy that is stricter than the category", () => {
    for (const category of categories) {
      expect(judge({ ...withLetter({ category }), ...withPolicy({ allows: "never" }) }).decision).toBe("skip");
    }
  });

  it("takes a time that two clocks may disagree about as unknown, on both sides of a fix", () => {
    const failedAt = { kind: "known", at: now - 2 * hour } as const;
    const codeAt = (offsetMs: number) => judge(poison(failedAt.at + offsetMs, failedAt)).code;
    expect([codeAt(60_001), codeAt(60_000), codeAt(-60_000), codeAt(-60_001)]).toEqual([
      "ready",
      "fix.time_unknown",
      "fix.time_unknown",
      "fix.arrived_after",
    ]);
  });

  it("takes an arrival before the deploy as proof, and one after it as none", () => {
    const deploy = { kind: "handles", service: "shop", deployedAt: now - hour } as const;
    expect(judge(schema(deploy, arrived(now - 2 * hour))).code).toBe("ready");
    expect(judge(schema(deploy, arrived(now))).decision).toBe("ack_required");
  });

  it("lets a letter that came back as transient go again once what made it fail is mended", () => {
    const cameBack = withLetter({ replays: 1, cameBackAs: "transient" });
    expect(judge({ ...cameBack, fix: { fix: "fix_1", fixedAt: now } }).code).toBe("ready");
  });

  it("sends an edit although the original body is gone", () => {
    const edited = withLetter({ payload: { kind: "missing" }, revision: { planned: 1, latest: 1 } });
    expect(judge(edited).code).toBe("ready");
  });
});
