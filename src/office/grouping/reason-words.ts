import type { GroupReason } from "../../ledger/search/group-reasons.ts";

/** How sure it is, what decided, and why, in a sentence that pages and terminals have alike. */
export function reasonInWords({ confidence, rule, why }: GroupReason): string {
  return `${Math.round(confidence * 100)} % sure (${rule}). ${why}`;
}
