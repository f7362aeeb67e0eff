import { noEvidence } from "../../src/domain/classification.ts";
import { classify } from "../../src/triage/classify.ts";
import { compilePattern } from "../../src/triage/conditions/pattern.ts";
import { fingerprint } from "../../src/triage/fingerprint/fingerprint.ts";
import { leastCpuMs } from "./cpu-time.ts";
import { hostileTexts } from "./hostile-texts.ts";

/** A text for which twice the length takes more than twice the time. */
export interface Superlinear {
  readonly subject: string;
  readonly text: string;
  readonly length: number;
  readonly ratio: number;
}

const pattern = compilePattern("(a+)+(b|a.c)*$|at .*:[0-9]+|(.*.*)*x");

/** What reads a failure, each given a text where a sender can put one. */
const subjects: Readonly<Record<string, (text: string) => unknown>> = {
  "fingerprint of a message": (message) => fingerprint({ ...noEvidence, message }),
  "fingerprint of a class": (errorClass) => fingerprint({ ...noEvidence, errorClass }),
  "fingerprint of a line of a stack": (line) => fingerprint({ ...noEvidence, stack: [line] }),
  "classification of a message": (message) => classify({ ...noEvidence, message }),
  "classification of a class": (errorClass) => classify({ ...noEvidence, errorClass }),
  "classification of a line of a stack": (line) => classify({ ...noEvidence, stack: [line] }),
  "pattern of a user": (text) => pattern.matches(text),
};

const lengths = { first: 16_384, last: 131_072 };
/** Less is mostly the measuring; what grows too fast passes it before the last length. */
const measurableMs = 8;
const mostGrowth = 2.6;

process.stdout.write(JSON.stringify(Object.keys(subjects).flatMap(superlinear)));

function superlinear(subject: string): Superlinear[] {
  const run = subjects[subject] ?? (() => undefined);
  return hostileTexts.flatMap(({ name, of }) => {
    for (let length = lengths.first; length <= lengths.last; length *= 2) {
      const text = of(length);
      const once = leastCpuMs(() => run(text));
      if (once < measurableMs) continue;
      const longer = of(2 * length);
      const ratio = leastCpuMs(() => run(longer)) / once;
      return ratio > mostGrowth ? [{ subject, text: name, length, ratio }] : [];
    }
    return [];
  });
}
