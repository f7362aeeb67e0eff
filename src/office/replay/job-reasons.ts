import type { Meanings } from "./reason-meaning.ts";

/** Of letters that never left their place: failed jobs, which are put back rather than sent. */
export interface JobReasonDetails {
  readonly "job.moved": { readonly queue: string };
  readonly "job.as_is": { readonly change: "edit" | "redirect"; readonly queue: string };
  readonly "job.refused": { readonly why: string; readonly change: string };
}

export const jobMeanings: Meanings<JobReasonDetails> = {
  "job.moved": {
    decision: "skip",
    sentence: ({ queue }) =>
      `It is not among the failed jobs of ${queue} any more, or has failed again since: somebody else put it back or removed it.`,
    change: () => "Drain its queue to see how it is now; drop this letter if the job is done.",
  },
  "job.as_is": {
    decision: "skip",
    sentence: ({ change, queue }) =>
      change === "edit"
        ? "A failed job is put back as it is in its framework's store, and this letter was edited."
        : `A failed job goes back where it failed, which is ${queue}, and nowhere else.`,
    change: ({ change }) =>
      change === "edit"
        ? "Plan it without the patch or the edit; to run other data, send a new job by its framework."
        : "Plan it without the redirect, and without replayTo for its queue in the configuration.",
  },
  "job.refused": {
    decision: "skip",
    sentence: ({ why }) => why,
    change: ({ change }) => change,
  },
};
