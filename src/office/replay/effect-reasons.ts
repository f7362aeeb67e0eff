import type { Meanings } from "./reason-meaning.ts";

/** Of letters of which it is not known whether an earlier attempt took effect. */
export interface EffectReasonDetails {
  readonly "side_effect.uncertain": { readonly because: UncertaintyCause };
  readonly "probe.failed": { readonly probe: string };
  readonly "side_effect.unchecked": object;
}

export type UncertaintyCause =
  | { readonly kind: "failure"; readonly why: string }
  /** Older than what the consumer's inbox still remembers: it could not catch a duplicate any more. */
  | { readonly kind: "inbox_window"; readonly windowMs: number };

/** Never that nothing happened: an attempt may have done anything before it failed. */
export const noSign = "No sign that an earlier attempt took effect.";

export const effectMeanings: Meanings<EffectReasonDetails> = {
  "side_effect.uncertain": {
    decision: "ack_required",
    sentence: ({ because }) => describeUncertainty(because),
    change: () => "Check whether it happened (the consumer's probe, or by hand), then acknowledge it or leave it out.",
  },
  "probe.failed": {
    decision: "ack_required",
    sentence: ({ probe }) => `The check ${probe} could not tell whether the effect happened.`,
    change: () => "Run the check again, or verify by hand and acknowledge.",
  },
  "side_effect.unchecked": {
    decision: "ack_required",
    sentence: () => `${noSign} No effect check could be asked, and the policy is strict about that.`,
    change: () =>
      "Check by hand that it did not, then accept the risk; or give its consumer an effect check (`probe`).",
  },
};

function describeUncertainty(cause: UncertaintyCause): string {
  if (cause.kind === "failure") return `An earlier attempt may have taken effect: ${cause.why}`;
  return `It is older than the ${hours(cause.windowMs)} its consumer remembers: a duplicate would not be caught.`;
}

function hours(ms: number): string {
  return `${Math.round(ms / 360_000) / 10} h`;
}
