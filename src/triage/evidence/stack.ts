import type { Finding } from "../finding.ts";
import { quote } from "../sentences.ts";
import type { Reading } from "./reading.ts";

/** Frames at the top that tell where it broke. */
const looked = 4;

export function stackOf({ frames, evidence }: Reading, told: readonly Finding[]): Finding[] {
  const top = frames.slice(0, looked);
  const answer = told.some(isDecodeTrouble)
    ? (top.find(({ does }) => does === "reads an answer")?.text ?? answerIn(evidence.message))
    : undefined;
  if (answer !== undefined) return [aboutAnswer(answer, evidence.sameErrorEachAttempt === false)];
  const decoder = top.find(({ does }) => does === "decodes");
  if (decoder === undefined) return [];
  const why = () => `It broke in ${quote(decoder.text, 70)}, which decodes or validates.`;
  return [{ source: "stack", category: "schema_mismatch", weight: 0.46, rule: "stack/decoder", why, effect: "none" }];
}

const isDecodeTrouble = ({ category, weight }: Finding) => category === "schema_mismatch" && weight >= 0.6;

function answerIn(message: string | null): string | undefined {
  return message !== null &&
    /response body|invalid json response|while parsing the response|from upstream/i.test(message)
    ? "the reading of an HTTP answer"
    : undefined;
}

/** An answer that cannot be decoded is a hiccup if it comes and goes; else nobody can tell from here. */
function aboutAnswer(place: string, comesAndGoes: boolean): Finding {
  const why = `What could not be decoded is an answer of another service, in ${quote(place, 70)}, not the message`;
  return comesAndGoes
    ? {
        source: "stack",
        category: "transient",
        weight: 0.93,
        rule: "stack/upstream-answer",
        why: () => `${why}; and it comes and goes.`,
        effect: "none",
      }
    : {
        source: "stack",
        category: "unknown",
        weight: 0.93,
        rule: "stack/upstream-answer",
        why: () => `${why}.`,
        effect: "none",
      };
}
