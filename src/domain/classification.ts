/** What a failure is, which decides what may be done with its letter. In the order people know them. */
export const categories = [
  "transient",
  "schema_mismatch",
  "business_rule",
  "poison",
  "lost_context",
  "unknown",
] as const;

/**
 * - `transient`: message and handler are right, the world hiccupped; sent again as it is, it will work.
 * - `schema_mismatch`: the payload cannot be decoded or does not fit what it is handed to.
 * - `business_rule`: it was understood, and a rule or the state of the domain says no.
 * - `poison`: a bug in the handler that this input trips; the same until code changes.
 * - `lost_context`: it refers to something that does not exist any more.
 * - `unknown`: it cannot honestly be told, or somebody must change configuration, rights or a deployment first.
 */
export type Category = (typeof categories)[number];

export const sideEffects = ["none", "uncertain"] as const;

/** Whether an earlier attempt may have taken effect outside; `uncertain` must be looked at before a replay. */
export type SideEffect = (typeof sideEffects)[number];

/** An error that came before the last one, or that another mark on the same letter tells of. */
export interface EarlierError {
  readonly errorClass: string | null;
  readonly message: string | null;
  readonly code: string | null;
}

/** All that triage may look at: what a dialect found out about a failure. What is not known is null or empty. */
export interface FailureEvidence {
  readonly errorClass: string | null;
  readonly message: string | null;
  /** An error code of any system, as text: `23505`, `ECONNRESET`, `ThrottlingException`. */
  readonly code: string | null;
  readonly httpStatus: number | null;
  /** Lines, innermost frame first as the language prints them; wrapped errors as `Caused by: …` lines. */
  readonly stack: readonly string[];
  /** Attempts made so far, counting from 1. */
  readonly attempts: number | null;
  readonly sameErrorEachAttempt: boolean | null;
  /** The beginning of the payload, as text. */
  readonly payloadExcerpt: string | null;
  /** The message's own headers and what a dialect found in them, as text. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where it came from, such as `python`, `kafka`, `aws`: a hint only. */
  readonly ecosystem: string | null;
  /** A hint only. */
  readonly language: string | null;
  /**
   * What the handler itself took it for: a category, a kind of the runtime (`schema`, `business`, `integration`) or an
   * agent's word (`denied`, `approval_required`, `unknown_commit_state` …).
   */
  readonly ownWord: string | null;
  /** The newest last. They decide where the last error says only that the message was given up. */
  readonly earlier: readonly EarlierError[];
}

/** Evidence of which nothing is known; spread it and fill in what is. */
export const noEvidence: FailureEvidence = {
  errorClass: null,
  message: null,
  code: null,
  httpStatus: null,
  stack: [],
  attempts: null,
  sameErrorEachAttempt: null,
  payloadExcerpt: null,
  headers: {},
  ecosystem: null,
  language: null,
  ownWord: null,
  earlier: [],
};

/** What stands for a rule where a person said what a failure is: evidence has no more say about it then, until it fails anew. */
export const ruleOfPeople = "person";

/** What triage makes of a failure. */
export interface Classification {
  readonly category: Category;
  /** 0 to 1. */
  readonly confidence: number;
  /** What decided, such as `code/postgres/40P01`, `rule/late-refunds` or `person`. */
  readonly rule: string;
  /** A sentence for the person who was paged, naming the evidence. */
  readonly why: string;
  readonly sideEffect: SideEffect;
  /** What it would have been otherwise, and why; null when nothing else spoke. */
  readonly runnerUp: RunnerUp | null;
}

export interface RunnerUp {
  readonly category: Category;
  readonly confidence: number;
  readonly rule: string;
  readonly why: string;
}

/** Which failures count as the same, and what made it so. Of the failure alone: queue and time have no part in it. */
export interface Fingerprint {
  /** 16 hexadecimal digits. */
  readonly id: string;
  /** What went into it, in order, each as it was compared: ids, numbers and quoted values taken out. */
  readonly parts: readonly FingerprintPart[];
}

export interface FingerprintPart {
  readonly name: "class" | "code" | "message" | "cause" | "place";
  readonly value: string;
}
