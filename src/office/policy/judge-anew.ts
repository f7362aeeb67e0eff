import { failureEvidence } from "../../dialects/failure-evidence.ts";
import { readDeadLetter } from "../../dialects/read-dead-letter.ts";
import type { BodyStore } from "../../domain/body-store.ts";
import type { Clock } from "../../domain/clock.ts";
import { showId } from "../../domain/ids.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { type Candidate, readCandidates } from "../../ledger/read-candidates.ts";
import { findMovable } from "../../ledger/reclassify.ts";
import type { PreviewedLetter } from "../../policy-file/preview-policy.ts";
import { classify } from "../../triage/classify.ts";
import { type OpenedLetter, openLetter } from "../open-letter.ts";
import { conditionFacts, type Telling } from "./condition-facts.ts";

/** What judging the ledger's letters needs of the office. */
export interface LettersAtHand {
  readonly ledger: Ledger;
  readonly bodies: BodyStore | null;
  readonly clock: Clock;
}

/** A letter that rules may still move, with what they see of it. */
export interface MovableLetter extends PreviewedLetter {
  readonly candidate: Candidate;
  readonly opened: OpenedLetter;
}

/** Letters read together: enough to be quick, few enough that their bodies fit into memory. */
const pageSize = 500;

/** Every letter that rules may still move, read again from its bytes, a page at a time in the order of arrival. */
export async function* movableLetters(office: LettersAtHand, tell?: Telling): AsyncGenerator<readonly MovableLetter[]> {
  let after: Uint8Array | null = null;
  for (;;) {
    const ids: readonly Uint8Array[] = await findMovable(office.ledger, after, pageSize);
    if (ids.length === 0) return;
    after = ids.at(-1) ?? null;
    const candidates = await readCandidates(office.ledger, ids);
    yield await Promise.all(candidates.map((candidate) => movableLetter(office, candidate, tell)));
  }
}

async function movableLetter(
  { bodies, clock }: LettersAtHand,
  candidate: Candidate,
  tell?: Telling,
): Promise<MovableLetter> {
  const opened = await openLetter({ read: readDeadLetter, bodies }, candidate);
  const evidence = failureEvidence(opened.letter, opened.reading);
  // Rules see what a letter would be without them: the same on arrival and whenever it is judged again.
  const { category, confidence } = classify(evidence);
  const known = { ...candidate, category, confidence, was: null, now: clock.now() };
  const facts = conditionFacts(opened.letter, opened.reading, known, tell);
  return {
    ...{ id: showId("letter", candidate.id), group: showId("group", candidate.groupId), candidate, opened },
    ...{ evidence, facts, current: { category: candidate.category, rule: candidate.rule } },
  };
}
