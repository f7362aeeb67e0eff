import { failureEvidence } from "../../dialects/failure-evidence.ts";
import { readDeadLetter } from "../../dialects/read-dead-letter.ts";
import { hexOf } from "../../domain/ids.ts";
import { type LastReturn, readLastReturns } from "../../ledger/last-returns.ts";
import { type Candidate, readCandidates } from "../../ledger/read-candidates.ts";
import { classify } from "../../triage/classify.ts";
import type { LetterFacts } from "../../triage/conditions/letter-facts.ts";
import { type OpenedLetter, openLetter } from "../open-letter.ts";
import { conditionFacts, tellingAsShown } from "../policy/condition-facts.ts";
import type { LettersAtHand } from "../policy/judge-anew.ts";

/** What conditions of splits see of letters, by the letter's id in hexadecimal digits: the same as when they came, as people are shown it. */
export async function standingFacts(
  office: LettersAtHand,
  ids: readonly Uint8Array[],
): Promise<ReadonlyMap<string, LetterFacts>> {
  const [candidates, returns] = [await readCandidates(office.ledger, ids), await readLastReturns(office.ledger, ids)];
  const facts = candidates.map(async (candidate): Promise<[string, LetterFacts]> => {
    const name = hexOf(candidate.id);
    return [name, await factsOf(office, candidate, returns.get(name) ?? null)];
  });
  return new Map(await Promise.all(facts));
}

async function factsOf(
  { bodies, ledger }: LettersAtHand,
  candidate: Candidate,
  returned: LastReturn | null,
): Promise<LetterFacts> {
  const opener = { read: readDeadLetter, bodies };
  const first = await openLetter(opener, candidate);
  const { letter, reading } =
    returned === null ? first : await openLetter(opener, asItReturned(candidate, first, returned));
  const { category, confidence } = classify(failureEvidence(letter, reading));
  const now = returned?.at ?? candidate.arrivedAt;
  const known = { ...candidate, category, confidence, was: null, replays: 0, now };
  return conditionFacts(letter, reading, known, tellingAsShown(ledger.masking));
}

function asItReturned(candidate: Candidate, { payload, letter }: OpenedLetter, returned: LastReturn): Candidate {
  const body = returned.body ?? payload ?? letter.message.body;
  const { headers, properties } = returned;
  return { ...candidate, absent: null, message: { ...candidate.message, headers, properties, body } };
}
