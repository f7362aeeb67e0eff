import type { Meanings } from "./reason-meaning.ts";

/** What a person may have to answer for about where a letter would go. */
export interface DestinationReasonDetails {
  /** `isKnown`: it was seen to be so; otherwise nothing that would keep it could be seen, and `why` says why not, as far as that is known. */
  readonly "destination.next_death_lost": {
    readonly queue: string;
    readonly isKnown: boolean;
    readonly why: string | null;
  };
  readonly "destination.not_checked": { readonly why: string };
  readonly "destination.shared": { readonly topic: string; readonly groups: readonly string[] };
}

export const destinationMeanings: Meanings<DestinationReasonDetails> = {
  "destination.next_death_lost": {
    decision: "ack_required",
    sentence: ({ queue, isKnown, why }) => {
      if (isKnown) return `If it fails again in ${queue}, no dead-letter queue is wired to keep it.`;
      const open = `Whether a dead-letter queue would keep it if it fails again in ${queue}`;
      return why === null ? `${open} could not be seen.` : `${open} was not checked: ${why}.`;
    },
    change: ({ queue, isKnown }) =>
      isKnown
        ? `Give ${queue} a dead-letter queue (dlo doctor shows how), or acknowledge that a second failure loses it.`
        : "Let the office see it (dlo sources test says what it lacks) and plan again, or acknowledge that a second failure may lose it.",
  },
  "destination.not_checked": {
    decision: "ack_required",
    sentence: ({ why }) => `Where it would go was not checked: ${why}.`,
    change: () =>
      "Plan again when the broker answers. Or accept that risk: the letter is checked before it is sent, and waits until then.",
  },
  "destination.shared": {
    decision: "ack_required",
    sentence: ({ topic, groups }) =>
      `Topic ${topic} is read by ${groups.length} other group${groups.length === 1 ? "" : "s"} too: ${groups.join(", ")}.`,
    change: () =>
      "Redirect it to a topic of the one group that failed, or acknowledge that all of them will see it again.",
  },
};
