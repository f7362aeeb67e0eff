import type { Role } from "./actor.ts";
import type { Category } from "./classification.ts";
import type { KeyPlace } from "./key-place.ts";

/**
 * How far clocks of others may be off, in milliseconds: whether a failure that is that close to a fix or deploy came before
 * it or after it is not known.
 */
export const clockSkewMs = 60_000;

/** What may be done with the letters of one category, as a policy says it. */
export interface Protocol {
  /** How many letters one replay may send: any number, one, or none. */
  readonly allows: "bulk" | "single" | "never";
  /** Messages a second. */
  readonly rate: number;
  /** Messages that may be under way at once: what a crash may leave in doubt. Where a broker takes each by itself they go in windows. */
  readonly batch: number;
  /** Sizes of a replay's first steps; what is left is the last. */
  readonly ramp: readonly number[];
  /** What becomes of a replay when nobody can say how a step went. */
  readonly onUnknown: "pause" | "continue";
  /** How often a letter may be replayed. */
  readonly maxReplays: number;
  /** How long outcomes are waited for after a step, in seconds, at least. */
  readonly settleS: number;
  readonly halt: HaltRules;
  readonly approvals: ApprovalRules;
  /** Letters may go without a person, once there is evidence that their cause is gone. Of transient ones only. */
  readonly auto: boolean;
  /** What to ask whether an earlier attempt took effect, for each letter; null: nobody can be asked but its consumers. */
  readonly probe: ProbeRule | null;
  /** Whether a letter goes of which a duplicate would not be recognized: once a person accepted that for its queue, for each plan, or not. */
  readonly duplicates: DuplicateRule;
  /** Where consumers that are not ours find the idempotency key; null: where senders usually put it. @default as the source says */
  readonly keyAt?: KeyPlace | null;
  /** Whether a letter goes of which nobody could tell if an earlier attempt took effect: with a note of that, or by a person's word. */
  readonly effects: EffectRule;
  /** Health checks that must be green before anything is sent. */
  readonly health: readonly string[];
  /** Whose word opens the gate of a deploy: also what consumers report of themselves, or only what somebody recorded. */
  readonly gates: { readonly trust: GateTrust };
  /** What in the policy forbids it altogether, as people would call it; null when nothing does. */
  readonly deniedBy: string | null;
}

export const duplicateRules = ["once", "ask", "refuse"] as const;

/** "once": accepted for a queue; until then its plans need approval. "ask": accepted in each plan. "refuse": it does not go. */
export type DuplicateRule = (typeof duplicateRules)[number];

export const effectRules = ["told", "strict"] as const;

/** "strict": a person accepts for each plan that nobody could check. */
export type EffectRule = (typeof effectRules)[number];

export const gateTrusts = ["reported", "recorded"] as const;

export type GateTrust = (typeof gateTrusts)[number];

/** An HTTP endpoint that knows whether a message took effect. */
export interface ProbeRule {
  /** With `{letter}`, `{key}`, `{queue}`, `{type}` and `{tenant}` where a letter's own are put in. */
  readonly url: string;
}

/** What stops a replay by itself. */
export interface HaltRules {
  /** The share of a step's letters that came back, 0 to 1. */
  readonly returns: number;
  /** How far behind the destination is; null: that is of no concern. */
  readonly lag: number | null;
}

export interface ApprovalRules {
  /** How many people besides the one who asks. */
  readonly n: number;
  readonly roles: readonly Role[];
  /** How long a plan and its approval are good for, in seconds. */
  readonly expiresS: number;
  /** Plans of at most so many letters, all ready, unedited and classified by no person, need none. */
  readonly exemptUpTo: number;
  /** Letters of one queue that one person may replay by such plans within 24 hours. @default five times `exemptUpTo` */
  readonly exemptPerDay?: number;
}

/** How many letters of a queue one person may replay in a day by plans that need no approval. */
export function exemptPerDay({ exemptUpTo, exemptPerDay: said }: ApprovalRules): number {
  return exemptUpTo === 0 ? 0 : (said ?? 5 * exemptUpTo);
}

const careful: Protocol = {
  allows: "bulk",
  rate: 20,
  batch: 50,
  ramp: [5, 50],
  onUnknown: "pause",
  maxReplays: 3,
  settleS: 120,
  halt: { returns: 0.05, lag: 5_000 },
  approvals: { n: 1, roles: ["approver", "admin"], expiresS: 14_400, exemptUpTo: 10 },
  auto: false,
  probe: null,
  duplicates: "once",
  effects: "told",
  health: [],
  gates: { trust: "reported" },
  deniedBy: null,
};

/** The policy where there is none: one protocol a category. */
export const defaultProtocols: Readonly<Record<Category, Protocol>> = {
  transient: careful,
  schema_mismatch: careful,
  business_rule: { ...careful, allows: "single", approvals: { ...careful.approvals, exemptUpTo: 0 } },
  poison: { ...careful, approvals: { ...careful.approvals, exemptUpTo: 0 } },
  lost_context: { ...careful, allows: "never" },
  unknown: { ...careful, allows: "never" },
};
