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
  classify: timed(classify),
  fingerprint: timed(fingerprint),
  both: timed((evidence) => [classify(evidence), fingerprint(evidence)]),
});

/** Thousands of letters a second of processor time. The first sample also warms up. */
function timed(work: (evidence: FailureEvidence) => unknown): () => Promise<number> {
  let number = 0;
  const repeat = () => {
    for (let n = 0; n < lettersPerSample; n++) {
      const letter = letters[n % letters.length];
      if (letter !== undefined) work({ ...letter, message: `${letter.message} ${number++}` });
    }
  };
  repeat();
  return async () => {
    // Not the time that passes: what else runs on the machine would be in it.
    const before = process.cpuUsage();
    repeat();
    const { user, system } = process.cpuUsage(before);
    return (lettersPerSample * 1_000) / (user + system);
  };
}
