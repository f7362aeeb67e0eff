import type { Role } from "../domain/actor.ts";

/** Where a replay is in its life. */
export const replayStates = [
  ...(["planned", "awaiting_approval", "approved", "running", "paused", "settling"] as const),
  ...(["finished", "halted", "cancelled", "rejected", "expired"] as const),
] as const;

export type ReplayState = (typeof replayStates)[number];

/** A replay as the ledger has it. Times are milliseconds since 1970. */
export interface ReplayRecord {
  readonly id: Uint8Array;
  readonly state: ReplayState;
  readonly name: string;
  readonly query: string;
  readonly requestedBy: string;
  readonly reason: string | null;
  readonly frozenAt: number;
  readonly expiresAt: number;
  /** Hexadecimal, both. */
  readonly policyHash: string;
  readonly planHash: string;
  readonly limits: ReplayLimits;
  readonly redirect: string | null;
  /** A JSON Patch that its letters are edited by, as it was given; null where each goes as it is. */
  readonly patch: string | null;
  /** The queue whose letters it sends by itself, as `source/queue`; null where somebody planned it. */
  readonly autoPlace: string | null;
  readonly approvalsNeeded: number;
  readonly approverRoles: readonly Role[];
  /** Why it needs no approval although its policy asks for some; null where it needs them, or the policy asks for none. */
  readonly exemption: Exemption | null;
  /** The day of whoever asked for it had not enough left: it needs its approvals after all. */
  readonly isExemptionOver: boolean;
  /** How many items the steps begun so far may have sent. */
  readonly stepEnd: number;
  readonly settlesAt: number | null;
  /** What whoever resumed it last had seen and went on with. */
  readonly accepted: AcceptedOutcomes;
  readonly haltedBy: HaltCause | null;
  /** The broker that it waits for, while it is under way; null where it waits for none. */
  readonly waitsFor: BrokerWait | null;
  readonly startedBy: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** What a plan that is small enough to need no approval would need otherwise, and for how much that holds. */
export interface Exemption {
  readonly needed: number;
  readonly roles: readonly Role[];
  /** How many letters of each queue one person may start in a day without approval. */
  readonly queues: readonly { readonly source: string; readonly queue: string; readonly perDay: number }[];
}

/** How a replay sends. Its plan's hash covers it; what is tightened later stands beside it. */
export interface ReplayLimits {
  /** Messages a second. */
  readonly rate: number;
  readonly batch: number;
  /** Sizes of the first steps; what is left is the last. */
  readonly ramp: readonly number[];
  /** How long outcomes are waited for after a step, in seconds. */
  readonly settleS: number;
  /** The share of returns in a step that stops the replay, 0 to 1. */
  readonly haltReturns: number;
  /** How far behind the destination may be; null: as far as it likes. */
  readonly haltLag: number | null;
}

export interface AcceptedOutcomes {
  readonly sent: number;
  readonly returned: number;
  readonly unknown: number;
}

export interface HaltCause {
  readonly guard: "returns" | "breaker" | "lag" | "health" | "destination" | "approval" | "ledger.restored";
  readonly sentence: string;
}

/** A broker that does not answer. What is not sent yet waits for it. */
export interface BrokerWait {
  /** "kafka-1:9092 refused the connection". */
  readonly why: string;
  readonly since: number;
}

export interface ReplayApproval {
  readonly actor: string;
  readonly at: number;
  /** Hexadecimal: the approval hash it was given for. */
  readonly hash: string;
  readonly verdict: "approved" | "rejected" | "revoked";
  readonly reason: string | null;
  readonly brokeGlass: boolean;
  /** By somebody who asked for the replay, edited one of its letters or answered for a risk in it: not a second pair of eyes. */
  readonly isInvolved: boolean;
}
