import type { Actor } from "../../domain/actor.ts";
import { hexOf } from "../../domain/ids.ts";
import { isNamedByPerson } from "../../ledger/read-candidates.ts";
import type { Judge, Search } from "../../ledger/search/search-condition.ts";
import { attendFor } from "../attend/attended-groups.ts";
import { type ExaminedLetter, examineLetters } from "./examine-letters.ts";
import type { ReplayParts } from "./replay-parts.ts";

export interface Searching {
  readonly clock: { now(): number };
  readonly retentionMs: number;
  readonly replay: ReplayParts;
}

/** What a search takes besides its text, for somebody and at this moment. */
export function searchedNow(searching: Searching, actor: Actor): Omit<Search, "q"> {
  return { ...searchedUnjudged(searching, actor), judge: judgeFor(searching.replay, actor) };
}

/** The same where nobody judges letters, and `replay:` is refused. */
export function searchedUnjudged(
  { clock, retentionMs, replay: { ledger } }: Searching,
  { id }: Actor,
): Omit<Search, "q" | "judge"> {
  const now = clock.now();
  return { now, retentionMs, attend: attendFor(ledger, id, now) };
}

/** Letters looked at together, as in a plan. */
const atOnce = 500;

/** Judges letters as a plan would that has them all, each by itself where a policy counts how many go. */
function judgeFor(parts: ReplayParts, actor: Actor): Judge {
  return async (letters) => {
    const policy = await parts.policy();
    const going = new Set<string>();
    const judged = new Map<string, string>();
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
        // Anybody may search, and as often as they like: what others would have to say is a person's to answer.
        ...{ approval: { kind: "pending" }, acknowledged: new Map(), going, ownReplay: null, asks: false },
      });
      for (const letter of examined) judged.set(hexOf(letter.candidate.id), standingOf(letter));
    }
    return judged;
  };
}

function standingOf({ candidate, judgement, protocol }: ExaminedLetter): string {
  if (judgement.decision === "ack_required") return "needs-acknowledgement";
  if (judgement.decision === "skip") return judgement.never ? "never" : "blocked";
  const { n, exemptUpTo } = protocol.approvals;
  return n > 0 && (exemptUpTo < 1 || isNamedByPerson(candidate)) ? "needs-approval" : "ready";
}
