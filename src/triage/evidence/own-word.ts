import { type Category, categories } from "../../domain/classification.ts";
import type { Finding } from "../finding.ts";
import type { Reading } from "./reading.ts";

interface Meaning {
  readonly category: Category;
  readonly means: string;
  readonly effect?: Finding["effect"];
}

/** What the runtime's kinds and the words of agents mean here, besides the categories themselves. */
const words: Readonly<Record<string, Meaning>> = {
  schema: { category: "schema_mismatch", means: "the payload does not fit" },
  business: { category: "business_rule", means: "a rule says no" },
  integration: { category: "unknown", means: "credentials, rights or set-up must be changed first" },
  crash_poison: { category: "poison", means: "it killed the process that handled it" },
  denied: { category: "unknown", means: "a policy denied the action, so a person must decide" },
  policy_denied: { category: "unknown", means: "a policy denied the action, so a person must decide" },
  approval_required: { category: "unknown", means: "the action waits for a person's approval" },
  policy_snapshot_mismatch: { category: "unknown", means: "it was planned under another policy than is in force" },
  unknown_commit_state: {
    category: "unknown",
    means: "nobody knows whether the action was carried out",
    effect: "always",
  },
  partial_external_write: { category: "unknown", means: "the action was carried out in part", effect: "always" },
};

/** The handler knows best, if it said anything. */
export function ownWordOf({ evidence }: Reading): Finding[] {
  const word = evidence.ownWord ?? agentsWord(evidence.code);
  if (word === null || word === "" || word === "unknown") return [];
  const meaning = words[word] ?? asCategory(word);
  if (meaning === undefined) return [];
  const why = () => `The handler itself said "${word}": ${meaning.means}.`;
  return [
    {
      source: "own word",
      category: meaning.category,
      weight: 0.99,
      rule: `own-word/${word}`,
      why,
      effect: meaning.effect ?? "none",
    },
  ];
}

/** Agents put their word where others have an error code. */
function agentsWord(code: string | null): string | null {
  return code !== null && agentWords.has(code) ? code : null;
}

const agentWords: ReadonlySet<string> = new Set([
  "denied",
  "policy_denied",
  "approval_required",
  "policy_snapshot_mismatch",
  "unknown_commit_state",
  "partial_external_write",
]);

function asCategory(word: string): Meaning | undefined {
  const category = categories.find((known) => known === word);
  return category === undefined ? undefined : { category, means: "that is its category" };
}
