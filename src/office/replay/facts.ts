import type { Category } from "../../domain/classification.ts";
import type { ReplayVia } from "../../domain/dead-letter.ts";
import type { DuplicateRule, EffectRule } from "../../domain/protocol.ts";
import type { KeptOrder } from "../../sources/queue-condition.ts";
import type { ReturnOutlook } from "../../sources/return-outlook.ts";
import type { UncertaintyCause } from "./effect-reasons.ts";

/** When a letter failed. A bound is the time it arrived: it failed at some moment before. */
export type FailureTime =
  | { readonly kind: "known"; readonly at: number }
  | { readonly kind: "bound"; readonly before: number };

/** The letter itself, as the ledger holds it. Times are milliseconds since 1970. */
export interface LetterFacts {
  readonly queue: string;
  readonly category: Category;
  readonly state: LetterStanding;
  readonly failedAt: FailureTime;
  /** When its time to live is over, at the latest; null where it has none, or does not say. */
  readonly expiresAt: number | null;
  readonly payload: PayloadStanding;
  /** The revision planned, and the latest one; 0 is the original. */
  readonly revision: { readonly planned: number; readonly latest: number };
  /** Why the plan's patch cannot be applied to it; null when it can, or there is none. */
  readonly editRefused: string | null;
  /** How often it was replayed, and as what it came back last. */
  readonly replays: number;
  readonly cameBackAs: Category | null;
  /** Another letter of which it is probably a second copy; null where nothing says so. */
  readonly repeatOf: string | null;
}

export type LetterStanding =
  | { readonly kind: "open" }
  /** Without a replay it is a compensation, or the letter is given back. */
  | { readonly kind: "claimed"; readonly replay: string | null }
  | { readonly kind: "in_doubt"; readonly replay: string }
  | { readonly kind: "decided"; readonly state: string };

export type PayloadStanding =
  | { readonly kind: "whole" }
  | { readonly kind: "missing" }
  | { readonly kind: "cut"; readonly keptBytes: number };

/** What the policy in force says of this letter's category and of this letter. */
export interface PolicyFacts {
  /** Whether letters of this category may go at all, and more than one at a time. */
  readonly allows: "bulk" | "single" | "never";
  readonly deniedBy: string | null;
  readonly maxReplays: number;
  readonly maxLag: number | null;
  readonly effects: EffectRule;
  readonly duplicates: DuplicateRule;
  /** How many people have to approve a plan of such letters. */
  readonly approvals: number;
  /** How far clocks of others may be off, in milliseconds; what is that close to a deploy or fix is not known. */
  readonly clockSkewMs: number;
}

/** `pending`: the plan is being made and nobody was asked yet, which speaks against nothing. */
export type ApprovalFacts =
  | { readonly kind: "not_needed" | "pending" | "given" }
  | { readonly kind: "missing"; readonly needed: number; readonly given: number }
  | { readonly kind: "expired"; readonly expiredAt: number }
  | { readonly kind: "nobody"; readonly roles: readonly string[] };

/** What is deployed where the letter would go, for letters that nobody there understood. */
export type DeployFacts =
  | { readonly kind: "unknown" }
  | { readonly kind: "does_not_handle"; readonly service: string; readonly version: string; readonly schema: string }
  /** By what it reports of itself it would handle it, and the policy does not take that for proof. */
  | { readonly kind: "unrecorded"; readonly service: string; readonly schema: string }
  | { readonly kind: "handles"; readonly service: string; readonly deployedAt: number };

export interface FixFacts {
  readonly fix: string;
  readonly fixedAt: number;
}

/** Where it would go, and how things are there. */
export type DestinationFacts =
  /** `isUnseen`: its route may lead somewhere, and nobody could see where at this moment, nor why not. @default false */
  | { readonly kind: "unknown"; readonly isUnseen?: boolean; readonly unseenBecause?: string | null }
  | { readonly kind: "ambiguous"; readonly candidates: readonly string[] }
  | { readonly kind: "missing"; readonly destination: string }
  | { readonly kind: "source_gone" | "source_cannot_take"; readonly source: string }
  /** Its broker could not be asked. */
  | { readonly kind: "not_asked"; readonly via: ReplayVia | null; readonly why: string }
  | KnownDestination;

export interface KnownDestination {
  readonly kind: "known";
  readonly queue: string;
  /** The exchange and key by which it goes there; null: straight to the queue. */
  readonly via: ReplayVia | null;
  /** How things are there could not be seen at this moment. @default false */
  readonly isUnseen?: boolean;
  /** Why not, as far as that is known. @default null */
  readonly unseenBecause?: string | null;
  /** Whether what is sent there and dies again is kept; null where that could not be seen. */
  readonly keepsNextDeath: boolean | null;
  /** Groups that read the same topic and did not fail; empty on a queue. */
  readonly otherGroups: readonly string[];
  readonly keepsOrder: KeptOrder;
  readonly breakers: readonly BreakerFacts[];
  /** Names of health checks that say no. */
  readonly redChecks: readonly string[];
  readonly lag: number | null;
}

/** Of a letter that never left its place, and is put back there. "changed": it would have to be another, or go elsewhere. */
export type PutBackFacts = ReturnOutlook | { readonly kind: "changed"; readonly by: "edit" | "redirect" };

export type BreakerFacts =
  | { readonly kind: "open"; readonly breaker: string; readonly since: number }
  /** `trial`: this letter is among the few the plan sends to find out. */
  | { readonly kind: "half_open"; readonly breaker: string; readonly since: number; readonly trial: boolean };

/** Of letters with an ordering key. */
export interface OrderFacts {
  /** An earlier letter of the key that is dead and not in this plan before this one; null when there is none. */
  readonly predecessor: string | null;
  /** The broker's name where it does not keep the order; null where it does. */
  readonly notKeptBy: string | null;
  /** Its place was released: its key does not wait for it any more. @default false */
  readonly wasReleased?: boolean;
}

/** Whether an earlier attempt took effect. */
export type EffectFacts =
  | { readonly kind: "none" | "done" }
  /** Nothing says that it did, and nobody could be asked. "unasked": somebody is asked before it goes, and was not yet. */
  | { readonly kind: "unchecked" | "unasked" }
  | { readonly kind: "uncertain"; readonly because: UncertaintyCause }
  | { readonly kind: "probe_failed"; readonly probe: string };

/** All that a decision about one letter may rest on. Whoever gathers it does the looking; judging is pure. */
export interface ReplayFacts {
  readonly letter: LetterFacts;
  readonly policy: PolicyFacts;
  /** Letters in the plan. */
  readonly planned: number;
  readonly mayReplay: boolean;
  readonly approval: ApprovalFacts;
  readonly deploy: DeployFacts;
  /** The latest fix recorded for its group; null when there is none. */
  readonly fix: FixFacts | null;
  readonly destination: DestinationFacts;
  /** Null for a letter that is sent as a message, whatever became of itself. */
  readonly outlook: PutBackFacts | null;
  /** Null for a letter without an ordering key. */
  readonly order: OrderFacts | null;
  readonly effect: EffectFacts;
  /** Null for a failed job: its framework runs it again, under the same id. */
  readonly duplicates: DuplicateFacts | null;
  /** Its plan is small enough to need no approval, or it goes by itself. */
  readonly isExempt: boolean;
  /** Its plan did not say that a duplicate would not be recognized: whoever approved it did not know. */
  readonly isUntold: boolean;
  /** The moment the ledger was set back to, if that was after the letter arrived. */
  readonly restoredTo: number | null;
  /** Codes of the risks a person has answered for. */
  readonly acknowledged: ReadonlySet<string>;
  readonly now: number;
}

/** Whether a duplicate of a letter would be recognized where it goes, as far as that is known. */
export type DuplicateFacts = DuplicateStanding & {
  /** As `source/queue`: where it goes, and where a person accepts duplicates. */
  readonly place: string;
  readonly queue: string;
  readonly isAccepted: boolean;
};

export type DuplicateStanding =
  | { readonly kind: "recognized" | "key_missing" | "not_reported" }
  /** The letter is older than what consumers remember of successes. */
  | { readonly kind: "expired"; readonly windowMs: number };
