import type { DecisionKind, Meaning, Meanings } from "./reason-meaning.ts";

/**
 * What its policy makes of a letter of which a duplicate would not be recognized. "told": it goes, with an approval. "asked": a person
 * accepts it for this plan. "refused": it stays.
 */
export type DuplicateStance = "told" | "asked" | "refused";

interface Unrecognized {
  readonly stance: DuplicateStance;
  /** As `source/queue`. */
  readonly place: string;
  readonly queue: string;
}

/** Of letters that might be processed twice without anybody noticing. */
export interface DuplicateReasonDetails {
  readonly "key.missing": Unrecognized;
  readonly "idempotency.none": Unrecognized;
  readonly "idempotency.expired": Unrecognized & { readonly windowMs: number };
}

const decisions: Readonly<Record<DuplicateStance, DecisionKind>> = {
  told: "replay",
  asked: "ack_required",
  refused: "skip",
};

/** What all of them have in common. */
const unrecognized = {
  decision: ({ stance }: Unrecognized): DecisionKind => decisions[stance],
  change: ({ stance, place, queue }: Unrecognized): string => {
    const accept = `dlo queues accept-duplicates ${place} --because handled|harmless`;
    if (stance === "refused") return "The policy refuses it (`duplicates: refuse`): edit a key into it, or drop it.";
    if (stance === "asked") return "Check what a second run would do, then accept the risk.";
    return `It needs an approval until a person accepts duplicates in ${queue}, once: \`${accept}\`.`;
  },
};

export const duplicateMeanings: Meanings<DuplicateReasonDetails> = {
  "key.missing": {
    ...unrecognized,
    sentence: () => "It has no idempotency key.",
    together: (n, total) =>
      n === total
        ? `${n === 1 ? "This letter has no" : `None of these ${n} letters has an`} idempotency key.`
        : `${n} of these ${total} letters ${n === 1 ? "has" : "have"} no idempotency key.`,
  },
  "idempotency.none": {
    ...unrecognized,
    sentence: ({ queue }) => `No consumer of ${queue} reports that it recognizes duplicates.`,
  },
  "idempotency.expired": {
    ...unrecognized,
    sentence: ({ windowMs }) =>
      `It is older than the ${hours(windowMs)} its consumer remembers: a duplicate would not be recognized.`,
    change: (details) =>
      details.stance === "asked"
        ? `Check that it was not processed, then accept the risk; or accept duplicates in ${details.queue}, once: \`dlo queues accept-duplicates ${details.place}\`.`
        : unrecognized.change(details),
  } satisfies Meaning<DuplicateReasonDetails["idempotency.expired"]>,
};

export const duplicateCodes: ReadonlySet<string> = new Set(Object.keys(duplicateMeanings));

function hours(ms: number): string {
  return `${Math.round(ms / 360_000) / 10} h`;
}
