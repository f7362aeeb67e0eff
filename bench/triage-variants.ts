import type { FailureEvidence } from "../src/domain/classification.ts";
import { classify } from "../src/triage/classify.ts";
import { fingerprint } from "../src/triage/fingerprint/fingerprint.ts";
import { labelledFailures } from "../test/triage/failures.ts";
import { serveSamples } from "./child-variant.ts";

const lettersPerSample = 30_000;

/** Every message is unlike all others, as ids make them; classes and stacks repeat, as they do. */
const letters: readonly FailureEvidence[] = (["public", "made", "held-out"] as const)
  .flatMap(labelledFailures)
  .map(({ evidence }) => evidence);

serveSamples({
  classify: () => sample(classify),
  fingerprint: () => sample(fingerprint),
  both: () => sample((evidence) => [classify(evidence), fingerprint(evidence)]),
});

let number = 0;

/** Letters as a parser leaves them: pieces put together would be joined only where they are first read. */
function newLetters(): readonly FailureEvidence[] {
  return Array.from({ length: lettersPerSample }, (_, n) => {
    const letter = letters[n % letters.length] as FailureEvidence;
    return { ...letter, message: Buffer.from(`${letter.message} ${number++}`).toString() };
  });
}

/** Thousands of letters a second of processor time. */
async function sample(work: (evidence: FailureEvidence) => unknown): Promise<number> {
  const unseen = newLetters();
  // Not the time that passes: what else runs on the machine would be in it.
  const before = process.cpuUsage();
  for (const letter of unseen) work(letter);
  const { user, system } = process.cpuUsage(before);
  return (lettersPerSample * 1_000) / (user + system);
}
