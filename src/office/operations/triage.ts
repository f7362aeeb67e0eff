import { z } from "zod";
import { categories, type FailureEvidence } from "../../domain/classification.ts";
import { mask, maskText } from "../../domain/redaction.ts";
import { type SuggestedFrom, suggestionLimits, suggestRules } from "../../triage/rules/suggest-rules.ts";
import { movableLetters } from "../policy/judge-anew.ts";
import { type Office, operation } from "./operation.ts";

/** Letters looked at: clusters worth a rule show long before that. */
const mostLetters = 20_000;

export const suggestFromUnknown = operation({
  name: "triage.suggest",
  summary: "rules that would take unknown letters out of the bucket, with what each would catch; nothing is changed",
  role: "viewer",
  input: z.object({
    least: z.int().min(2).max(1_000).default(suggestionLimits.least),
    most: z.int().min(1).max(100).default(suggestionLimits.most),
  }),
  output: z.object({
    letters: z.number(),
    unknown: z.number(),
    suggestions: z.array(
      z.object({
        id: z.string(),
        pattern: z.object({ message: z.string().optional(), class: z.string().optional() }),
        leaning: z.enum(categories).nullable(),
        takes: z.number(),
        examples: z.array(z.string()),
      }),
    ),
  }),
  async run(office, limits) {
    const letters = await lettersToLearnFrom(office);
    const unknown = letters.filter(({ category }) => category === "unknown").length;
    const suggestions = suggestRules(letters, limits).map(({ id, pattern, leaning, takes, examples }) => ({
      ...{ id, leaning, takes, examples: [...examples] },
      pattern: { ...pattern },
    }));
    return { letters: letters.length, unknown, suggestions };
  },
});

/** The known ones too: a rule must not take what is known to be something else. */
async function lettersToLearnFrom(office: Office): Promise<readonly SuggestedFrom[]> {
  const letters: SuggestedFrom[] = [];
  for await (const page of movableLetters(office)) {
    for (const { id, evidence, candidate } of page)
      letters.push({ id, evidence: asShown(evidence), category: candidate.category });
    if (letters.length >= mostLetters) break;
  }
  return letters;
}

/** A proposal repeats what letters have in common: what is masked in them becomes a gap, as numbers do. */
function asShown(evidence: FailureEvidence): FailureEvidence {
  const { message } = evidence;
  return { ...evidence, message: message === null ? null : maskText(message).replaceAll(mask, "#") };
}
