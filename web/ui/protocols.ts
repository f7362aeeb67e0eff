import type { OutputOf } from "../../src/office/operations/operations.ts";

export type Category = OutputOf<"groups.get">["category"];

/** What each category means for whoever was paged. */
export const protocols: Readonly<Record<Category, string>> = {
  transient: "Nothing was wrong with them: they may go back, gently, once what they need is well again.",
  schema_mismatch: "They wait for a consumer that understands them. A plan says which of them one that runs now reads.",
  business_rule: "A rule refused them. Each is decided on its own; sending them back together is not allowed.",
  poison: "The handler broke on them. They may go back once a fix is recorded, those that failed before it.",
  lost_context: "What they were about is gone. They never go back: drop them, compensate, or hand them on.",
  unknown:
    "What they are is not known, so none goes back. Look at one, and say what they are; or write a rule that does.",
};
