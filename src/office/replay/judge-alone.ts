import type { Actor } from "../../domain/actor.ts";
import { isNamedByPerson } from "../../ledger/read-candidates.ts";
import { duplicateCodes } from "./duplicate-reasons.ts";
import { type ExaminedLetter, examineLetters } from "./examine-letters.ts";
import type { Judgement } from "./reasons.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** How a letter stands with regard to a replay, in one word. Searches for `replay:` and pages say the same. */
export const outlooks = ["ready", "needs-approval", "needs-acknowledgement", "blocked", "never"] as const;

export type Outlook = (typeof outlooks)[number];

/** What a plan of this letter alone would say. */
export interface JudgedAlone {
  readonly id: Uint8Array;
  readonly outlook: Outlook;
  readonly judgement: Judgement;
}

/** Letters looked at together, as in a plan. */
const atOnce = 500;

/** Judges letters as a plan would that has them all, each by itself where a policy counts how many go. Nothing is planned. */
export async function judgeAlone(
  parts: ReplayParts,
  actor: Actor,
  letters: readonly Uint8Array[],
): Promise<readonly JudgedAlone[]> {
  const policy = await parts.policy();
  const going = new Set<string>();
  const notAsked = new Map<string, string>();
  const judged: JudgedAlone[] = [];
  for (let start = 0; start < letters.length; start += atOnce) {
    const examined = await examineLetters(parts, {
      ...{
        ids: letters.slice(start, start + atOnce),
        actor,
        policy,
        planned: 1,
        redirect: null,
        patch: null,
        revisions: null,
      },
      // Anybody may look, and as often as they like: what others would have to say is a person's to answer.
      ...{ approval: { kind: "pending" }, acknowledged: new Map(), going, ownReplay: null, asks: false },
      notAsked,
    });
    // Their bodies are not kept: of a thousand letters they may be large.
    for (const letter of examined)
      judged.push({ id: letter.candidate.id, outlook: outlookOf(letter), judgement: letter.judgement });
  }
  return judged;
}

function outlookOf({ candidate, judgement, protocol }: ExaminedLetter): Outlook {
  if (judgement.decision === "ack_required") return "needs-acknowledgement";
  if (judgement.decision === "skip") return judgement.never ? "never" : "blocked";
  const { n, exemptUpTo } = protocol.approvals;
  const isTold = duplicateCodes.has(judgement.code);
  return n > 0 && (exemptUpTo < 1 || isTold || isNamedByPerson(candidate)) ? "needs-approval" : "ready";
}
