import type { Finding } from "../finding.ts";
import { quote } from "../sentences.ts";
import type { Reading } from "./reading.ts";

export const gaveUpRule = "message/gave-up";

/** What it means that somebody gave up: no cause, and where to look for one. Anything that names a cause decides before it. */
export function givingUpOf({ gaveUp, evidence: { attempts } }: Reading): Finding[] {
  if (gaveUp === null) return [];
  const tried = attempts !== null && attempts > 1 ? `earlier attempts (${attempts} so far)` : "earlier attempts";
  const why = () =>
    `"${quote(gaveUp, 60)}" only says that the message was given up. Look for the cause in its ${tried}, in the consumer's log.`;
  return [
    { source: "message", category: "unknown", weight: 0.86, rule: gaveUpRule, why, effect: "none", yields: true },
  ];
}
