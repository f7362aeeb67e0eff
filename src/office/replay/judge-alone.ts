import type { Actor } from "../../domain/actor.ts";
import { exemptPerDay } from "../../domain/protocol.ts";
import { exemptStartsOf, type QueueCount } from "../../ledger/exempt-starts.ts";
import { isNamedByPerson } from "../../ledger/read-candidates.ts";
import { duplicateCodes } from "./duplicate-reasons.ts";
import { type ExaminedLetter, examineLetters } from "./examine-letters.ts";
import { dayInWords } from "./exemption.ts";
import { asksForApproval } from "./plan-terms.ts";
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
  /** Why its plan would need an approval; null where it would need none, or the letter cannot go. */
  readonly approval: string | null;
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
  const { ledger } = parts;
  // An agent acts for whoever starts what it plans, and that is not known before.
  const day = actor.kind === "agent" ? [] : await exemptStartsOf(ledger, ledger.database, actor.id);
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
    for (const letter of examined) {
      const approval = whyApproval(letter, day);
      const outlook = outlookOf(letter.judgement, approval);
      judged.push({ id: letter.candidate.id, outlook, judgement: letter.judgement, approval });
    }
  }
  return judged;
}

function outlookOf({ decision, never }: Judgement, approval: string | null): Outlook {
  if (decision === "ack_required") return "needs-acknowledgement";
  if (decision === "skip") return never ? "never" : "blocked";
  return approval === null ? "ready" : "needs-approval";
}

/** As its plan would have it, by the same rules; and whether the day of whoever looks has room for it. */
function whyApproval(letter: ExaminedLetter, day: readonly QueueCount[]): string | null {
  const { candidate, judgement, protocol, revision } = letter;
  if (judgement.decision !== "replay") return null;
  const isNamed = isNamedByPerson(candidate);
  const item = { decision: judgement.decision, reason: judgement.code, revision };
  if (!asksForApproval([item], protocol, { isNamed, isAuto: false })) return exceededBy(letter, day);
  if (isNamed) return "A person said what it is, so its plan needs an approval.";
  if (revision > 0) return "It was edited, so its plan needs an approval.";
  // What is said of it says that it needs one, and until when.
  if (duplicateCodes.has(judgement.code)) return "";
  return `The policy asks for an approval of every plan of ${candidate.category} letters like this one.`;
}

function exceededBy(
  { candidate: { source, queue }, protocol: { approvals } }: ExaminedLetter,
  day: readonly QueueCount[],
): string | null {
  if (approvals.n === 0) return null;
  const limit = exemptPerDay(approvals);
  const replayed = day.find((each) => each.source === source && each.queue === queue)?.n ?? 0;
  return replayed + 1 > limit
    ? `You ${dayInWords({ source, queue, replayed, limit, n: 1 })} Its plan needs an approval.`
    : null;
}
