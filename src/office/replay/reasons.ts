import type { Category } from "../../domain/classification.ts";
import { showCount } from "../../domain/show-count.ts";
import { type DestinationReasonDetails, destinationMeanings } from "./destination-reasons.ts";
import { type DuplicateReasonDetails, duplicateMeanings } from "./duplicate-reasons.ts";
import { type EffectReasonDetails, effectMeanings, noSign } from "./effect-reasons.ts";
import { type JobReasonDetails, jobMeanings } from "./job-reasons.ts";
import type { DecisionKind, Meaning, Meanings } from "./reason-meaning.ts";

/**
 * Why, with what must be said about it. The codes are a public contract (API, CLI, plan files): one is never given
 * another meaning. Times are milliseconds since 1970.
 */
export interface ReasonDetails
  extends DuplicateReasonDetails,
    EffectReasonDetails,
    JobReasonDetails,
    DestinationReasonDetails {
  /** `isUnchecked`: nobody was asked whether an earlier attempt took effect. */
  readonly ready: { readonly isUnchecked: boolean };
  readonly "breaker.half_open_trial": { readonly breaker: string };

  readonly "deploy.time_unknown": { readonly service: string; readonly deployedAt: number };
  readonly "fix.time_unknown": { readonly fix: string; readonly fixedAt: number };
  /** `broker` is null where its place in the order was released: later messages of its key went on without it. */
  readonly "order.not_kept": { readonly broker: string | null };
  readonly "repeat.probable": { readonly letter: string };
  readonly "ttl.expired": { readonly expiredAt: number };
  readonly "ledger.restored": { readonly restoredTo: number };

  readonly "scope.no_permission": { readonly queue: string };
  readonly "already.resolved": { readonly state: string };
  readonly claimed: { readonly replay: string | null };
  readonly "send.in_doubt": { readonly replay: string };
  readonly "payload.missing": object;
  readonly "payload.cut": { readonly keptBytes: number };
  readonly "edit.superseded": { readonly revision: number; readonly latest: number };
  readonly "edit.refused": { readonly why: string };
  readonly "category.unknown": object;
  readonly "policy.never": { readonly category: Category };
  readonly "policy.no_bulk": { readonly category: Category; readonly planned: number };
  readonly "policy.denied": { readonly rule: string };
  /** `isUntold`: those that its plan has were given before a duplicate would not have been recognized. @default false */
  readonly "approval.missing": { readonly needed: number; readonly given: number; readonly isUntold?: boolean };
  readonly "approval.expired": { readonly expiredAt: number };
  readonly "approval.nobody": { readonly roles: readonly string[] };
  readonly "deploy.unknown": { readonly queue: string };
  readonly "deploy.not_newer": { readonly service: string; readonly version: string; readonly schema: string };
  readonly "deploy.unrecorded": { readonly service: string; readonly schema: string };
  readonly "deploy.arrived_after": { readonly service: string; readonly deployedAt: number };
  readonly "fix.missing": object;
  readonly "fix.arrived_after": { readonly fix: string; readonly fixedAt: number };
  readonly "source.gone": { readonly source: string };
  readonly "source.cannot_take": { readonly source: string };
  /** `why`: why the way it came could not be followed; null where it says of none. */
  readonly "destination.unknown": { readonly why: string | null };
  readonly "destination.ambiguous": { readonly candidates: readonly string[] };
  readonly "destination.missing": { readonly destination: string };
  readonly "message.too_large": { readonly destination: string };
  readonly "breaker.open": { readonly breaker: string; readonly since: number };
  readonly "health.red": { readonly check: string };
  readonly "lag.high": { readonly queue: string; readonly lag: number; readonly limit: number };
  readonly "order.predecessor_dead": { readonly predecessor: string };
  readonly "side_effect.done": object;
  readonly "attempts.exhausted": { readonly replays: number; readonly limit: number };
  readonly "returned.again": { readonly category: Category };
}

export type ReasonCode = keyof ReasonDetails;

/** A code with its details; what is said about it is in the table below. */
export type Reason = { [Code in ReasonCode]: { readonly code: Code } & ReasonDetails[Code] }[ReasonCode];

/** Every reason, once: plans, lists, CLI and documents read it here. */
const meanings: Meanings<ReasonDetails> = {
  ready: {
    decision: "replay",
    sentence: ({ isUnchecked }) => (isUnchecked ? noSign : "Nothing speaks against it."),
    change: () => "",
  },
  "breaker.half_open_trial": {
    decision: "replay",
    sentence: ({ breaker }) =>
      `Breaker ${breaker} is trying whether its dependency is back; this letter is one of the trials.`,
    change: () => "",
  },

  ...effectMeanings,
  ...duplicateMeanings,
  "deploy.time_unknown": {
    decision: "ack_required",
    sentence: ({ service, deployedAt }) =>
      `When it failed is only known to be before it arrived, which was after ${service} was deployed at ${utc(deployedAt)}.`,
    change: () => "Acknowledge it if you know that it failed before that deploy.",
  },
  "fix.time_unknown": {
    decision: "ack_required",
    sentence: ({ fix, fixedAt }) =>
      `When it failed is only known to be before it arrived, which was after ${fix} took effect at ${utc(fixedAt)}.`,
    change: () => "Acknowledge it if you know that it failed before that fix.",
  },
  ...destinationMeanings,
  "order.not_kept": {
    decision: "ack_required",
    sentence: ({ broker }) =>
      broker === null
        ? "Its place in the order was released, and later messages of its key went on: it would run behind them, as a new message."
        : `It has an ordering key, and ${broker} does not keep order there: it may overtake others of its key.`,
    change: () => "Acknowledge that its place in the order does not matter any more.",
  },
  "repeat.probable": {
    decision: "ack_required",
    sentence: ({ letter }) =>
      `It is probably the same failure as ${letter}: message id, body, queue and attempt are equal.`,
    change: ({ letter }) => `Compare it with ${letter} and drop it, or accept the risk that its message is sent twice.`,
  },
  "ttl.expired": {
    decision: "ack_required",
    sentence: ({ expiredAt }) =>
      `Its time to live was over by ${utc(expiredAt)}: its sender may not want it any more, and its consumer may discard it.`,
    change: () => "Drop it, or acknowledge that it still matters and its consumer takes it.",
  },
  "ledger.restored": {
    decision: "ack_required",
    sentence: ({ restoredTo }) =>
      `The ledger was restored to ${utc(restoredTo)}: it may have been sent after that, unrecorded.`,
    change: () => "Check at the destination that it was not, then acknowledge it.",
  },

  "scope.no_permission": {
    decision: "skip",
    sentence: ({ queue }) => `You may not replay letters of ${queue}.`,
    change: ({ queue }) => `Ask somebody whose role covers ${queue}.`,
  },
  "already.resolved": {
    decision: "skip",
    sentence: ({ state }) => `It is ${state} already.`,
    change: () => "Reopen it first if that is wrong.",
  },
  claimed: {
    decision: "skip",
    sentence: ({ replay }) =>
      replay === null
        ? "A compensation of it is under way, or it is just given back to its dead-letter queue."
        : `It is in another replay, ${replay}.`,
    change: ({ replay }) =>
      replay === null
        ? "Wait for that to end. If nobody answered, say what became of it: `dlo letters compensate` or `dlo letters give-back`, with --settle."
        : `Wait for ${replay} to end, or take it out there.`,
  },
  "send.in_doubt": {
    decision: "skip",
    sentence: ({ replay }) =>
      `Replay ${replay} was interrupted while sending it: whether it was sent is not known yet.`,
    change: ({ replay }) =>
      `Settle it first: \`dlo replay items ${replay} --state in_doubt\` lists it, \`dlo replay settle\` says what became of it.`,
  },
  "payload.missing": {
    decision: "skip",
    never: true,
    sentence: () => "Its body is not in the ledger: it was imported masked, or never held one.",
    change: () => "Replace the body by an edit, or drop the letter.",
  },
  "payload.cut": {
    decision: "skip",
    never: true,
    sentence: ({ keptBytes }) => `Only the first ${keptBytes} bytes of its body were kept: it would be sent damaged.`,
    change: () => "Replace the body by an edit, or drop the letter.",
  },
  "edit.superseded": {
    decision: "skip",
    sentence: ({ revision, latest }) => `Revision r${revision} was planned and r${latest} has been made since.`,
    change: ({ latest }) => `Plan again with r${latest}.`,
  },
  "edit.refused": {
    decision: "skip",
    sentence: ({ why }) => `The plan's patch cannot be applied to it: ${why}`,
    change: () => "Edit this letter by itself (dlo edit), or plan it without the patch.",
  },
  "category.unknown": {
    decision: "skip",
    sentence: () => "What went wrong is not known, and what may be done follows from that.",
    change: () => "Say what it is (dlo groups classify, dlo letters classify), or write a rule (dlo triage suggest).",
  },
  "policy.never": {
    decision: "skip",
    never: true,
    sentence: ({ category }) => `A ${category} letter is never replayed: ${neverBecause(category)}`,
    change: () => "Drop it with a reason, or send a compensating message.",
  },
  "policy.no_bulk": {
    decision: "skip",
    sentence: ({ category, planned }) => `A ${category} letter is decided one by one, and this plan holds ${planned}.`,
    change: () => "Replay it alone, or decide it: drop, compensate, escalate.",
  },
  "policy.denied": {
    decision: "skip",
    sentence: ({ rule }) => `The policy's ${rule} denies it.`,
    change: ({ rule }) => `Change ${rule} in the policy; a replay that was denied stays denied and is planned anew.`,
  },
  "approval.missing": {
    decision: "skip",
    sentence: ({ needed, given, isUntold = false }) =>
      isUntold
        ? "Since it was planned, a duplicate of it is neither recognized nor accepted any more: it needs an approval that knows that."
        : `It needs ${countOf(needed, "approval")} and has ${given}.`,
    change: ({ isUntold = false }) =>
      isUntold ? "Plan it again, or accept duplicates in its queue." : "Ask for approval.",
  },
  "approval.expired": {
    decision: "skip",
    sentence: ({ expiredAt }) => `Its approval ran out at ${utc(expiredAt)}.`,
    change: () => "Ask for approval again.",
  },
  "approval.nobody": {
    decision: "skip",
    sentence: ({ roles }) =>
      `It needs an approval, and nobody but you has a role that may give it (${roles.join(", ")}).`,
    change: () => "Have a second person given that role, or break glass as an admin.",
  },
  "deploy.unknown": {
    decision: "skip",
    sentence: ({ queue }) =>
      `No deploy of a consumer of ${queue} is known, so none is known to understand this message.`,
    change: () => "Record the deploy (dlo deploy record), or let the consumer report itself.",
  },
  "deploy.not_newer": {
    decision: "skip",
    sentence: ({ service, version, schema }) => `What is deployed, ${service} ${version}, does not handle ${schema}.`,
    change: ({ schema }) => `Deploy a consumer that handles ${schema}.`,
  },
  "deploy.unrecorded": {
    decision: "skip",
    sentence: ({ service, schema }) =>
      `Only ${service} itself reports that it handles ${schema}, and the policy takes only a recorded deploy for proof.`,
    change: () => "Record the deploy (dlo deploy record).",
  },
  "deploy.arrived_after": {
    decision: "skip",
    sentence: ({ service, deployedAt }) =>
      `It failed after ${service} was deployed at ${utc(deployedAt)}: that deploy did not help it.`,
    change: () => "Deploy a consumer that understands it, or edit the message.",
  },
  "fix.missing": {
    decision: "skip",
    sentence: () => "It trips a bug in its consumer, and no fix of that is recorded.",
    change: () => "Fix the bug and record it (dlo fix record).",
  },
  "fix.arrived_after": {
    decision: "skip",
    sentence: ({ fix, fixedAt }) =>
      `It failed after ${fix} took effect at ${utc(fixedAt)}: proof that the fix did not work for it.`,
    change: ({ fix }) => `Retract ${fix} if it was wrong, fix what is left and record that.`,
  },
  "source.gone": {
    decision: "skip",
    sentence: ({ source }) => `Source ${source} is not configured any more.`,
    change: () => "Add the source again, or redirect.",
  },
  "source.cannot_take": {
    decision: "skip",
    sentence: ({ source }) => `It was only observed, and ${source} cannot give it up: it would be there twice.`,
    change: () => "Drain its dead-letter queue first.",
  },
  "destination.unknown": {
    decision: "skip",
    sentence: ({ why }) =>
      why === null ? "Where it came from is not known." : `Where the way it came leads was not checked: ${why}.`,
    change: () => "Name the destination: redirect, or set replayTo for its queue in the configuration.",
  },
  "destination.ambiguous": {
    decision: "skip",
    sentence: ({ candidates }) => `It may have come from any of ${candidates.join(", ")}.`,
    change: () => "Name the destination: redirect, or set replayTo for its queue in the configuration.",
  },
  "destination.missing": {
    decision: "skip",
    sentence: ({ destination }) => `Its destination ${destination} does not exist on the broker.`,
    change: () => "Create it, or redirect.",
  },
  "message.too_large": {
    decision: "skip",
    sentence: ({ destination }) =>
      `With the headers of a replay it is larger than ${destination} takes, so the broker refused it.`,
    change: () =>
      "Raise the broker's limit (max_payload, MaximumMessageSize), or make it smaller by an edit (dlo edit).",
  },
  ...jobMeanings,
  "breaker.open": {
    decision: "skip",
    sentence: ({ breaker, since }) => `Breaker ${breaker} has been open since ${utc(since)}: what it needs is down.`,
    change: () => "Wait until the breaker closes; it finds out by itself.",
  },
  "health.red": {
    decision: "skip",
    sentence: ({ check }) => `The health check ${check} says no.`,
    change: () => "Wait until it is green.",
  },
  "lag.high": {
    decision: "skip",
    sentence: ({ queue, lag, limit }) =>
      `Queue ${queue} is ${showCount(lag, "message")} behind; the policy stops at ${limit.toLocaleString("en-US")}.`,
    change: () => "Wait until its consumers have caught up.",
  },
  "order.predecessor_dead": {
    decision: "skip",
    sentence: ({ predecessor }) =>
      `An earlier letter of the same key, ${predecessor}, is still dead: this one would overtake it.`,
    change: ({ predecessor }) => `Include ${predecessor}, or decide it first.`,
  },
  "side_effect.done": {
    decision: "skip",
    sentence: () => "It was processed before: its effect is there, and would be there twice.",
    change: () => "Resolve it by hand, or drop it.",
  },
  "attempts.exhausted": {
    decision: "skip",
    sentence: ({ replays, limit }) =>
      `It was replayed ${times(replays)} and came back each time; the policy allows ${limit}.`,
    change: () => "Change its category, or record a fix.",
  },
  "returned.again": {
    decision: "skip",
    sentence: ({ category }) =>
      `It was replayed and came back as ${category} again: sending it once more is not the answer.`,
    change: () => "Raise the consumer's retry budget or mend what it depends on, and record that (dlo fix record).",
  },
};

/** Every code there is, in the order of the table: for documents, and for whoever checks input. */
export const reasonCodes = Object.keys(meanings) as readonly ReasonCode[];

/** What the doors show of a reason. */
export interface Judgement {
  readonly decision: DecisionKind;
  readonly code: ReasonCode;
  readonly sentence: string;
  readonly change: string;
  readonly never: boolean;
  /** What is said besides: part of `sentence`, and of what is said of many at once. @default nothing */
  readonly note?: string;
  /** Further risks, which a person answers for together with `code`: what they say is part of `sentence`. @default none */
  readonly risks?: readonly ReasonCode[];
  /** Why a duplicate would not be recognized, where that is said besides: part of `sentence`. @default it is `code`, or it would */
  readonly told?: ReasonCode;
}

export function describeReason(reason: Reason): Judgement {
  // The table is keyed by the code the details belong to; the compiler cannot follow that through a union.
  const meaning = meanings[reason.code] as Meaning<Reason>;
  return {
    decision: decisionOf(reason),
    code: reason.code,
    sentence: meaning.sentence(reason),
    change: meaning.change(reason),
    never: meaning.never ?? false,
  };
}

export function decisionOf(reason: Reason): DecisionKind {
  const { decision } = meanings[reason.code] as Meaning<Reason>;
  return typeof decision === "function" ? decision(reason) : decision;
}

/** What is said of `n` letters of a plan at once; null where that is what is said of the first. */
export function togetherOf(code: string, n: number, total: number): string | null {
  const meaning = (meanings as Readonly<Partial<Record<string, Meaning<never>>>>)[code];
  return meaning?.together?.(n, total) ?? null;
}

function neverBecause(category: Category): string {
  return category === "lost_context"
    ? "what it refers to does not exist any more."
    : "the policy rules it out for this category.";
}

function utc(ms: number): string {
  return new Date(ms).toISOString();
}

function countOf(counted: number | readonly unknown[], noun: string): string {
  const n = typeof counted === "number" ? counted : counted.length;
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function times(n: number): string {
  return n === 1 ? "once" : `${n} times`;
}
