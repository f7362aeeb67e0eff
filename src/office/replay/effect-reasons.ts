import type { Meanings } from "./reason-meaning.ts";

/** Of letters of which it is not known whether an earlier attempt took effect. */
export interface EffectReasonDetails {
  readonly "side_effect.uncertain": { readonly because: UncertaintyCause };
  readonly "probe.failed": { readonly probe: string };
  readonly "side_effect.unchecked": object;
}

/** What the failure itself says of it. */
export interface UncertaintyCause {
  readonly kind: "failure";
  readonly why: string;
}

/** Never that nothing happened: an attempt may have done anything before it failed. */
export const noSign = "No sign that an earlier attempt took effect.";

export const effectMeanings: Meanings<EffectReasonDetails> = {
  "side_effect.uncertain": {
    decision: "ack_required",
    sentence: ({ because }) => `An earlier attempt may have taken effect: ${because.why}`,
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
