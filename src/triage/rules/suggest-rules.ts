import type { Category, FailureEvidence, FingerprintPart } from "../../domain/classification.ts";
import { classify } from "../classify.ts";
import { compilePattern } from "../conditions/pattern.ts";
import { fingerprint } from "../fingerprint/fingerprint.ts";

/** A letter as suggestions need it. */
export interface SuggestedFrom {
  readonly id: string;
  readonly evidence: FailureEvidence;
  readonly category: Category;
}

/** A rule that would take unknown letters out of the bucket, once a person has put in the category. */
export interface Suggestion {
  /** A proposed id. */
  readonly id: string;
  readonly pattern: { readonly message?: string; readonly class?: string };
  /** What it leans to, as far as the evidence goes; null when it does not lean. A person decides. */
  readonly leaning: Category | null;
  /** Unknown letters it would take. */
  readonly takes: number;
  readonly examples: readonly string[];
  /** Letters that are classified already and that it would also match: none, or it is not proposed. */
  readonly alsoMatches: 0;
}

/** Smaller clusters than `least` are not worth a rule; no more than `most` are proposed. */
export const suggestionLimits = { least: 3, most: 20 };

const shownExamples = 3;

/** Clusters unknown letters by their failure and proposes a rule for each, the largest first. */
export function suggestRules(letters: readonly SuggestedFrom[], { least, most } = suggestionLimits): Suggestion[] {
  const known = letters.filter(({ category }) => category !== "unknown");
  const clusters = clusterOf(letters.filter(({ category }) => category === "unknown"));
  return clusters
    .filter(({ members }) => members.length >= least)
    .sort((a, b) => b.members.length - a.members.length)
    .flatMap((cluster) => suggestionFor(cluster, letters, known) ?? [])
    .slice(0, most);
}

interface Cluster {
  readonly parts: readonly FingerprintPart[];
  readonly members: readonly SuggestedFrom[];
}

/** By class and message: where it failed does not matter for what it is. */
function clusterOf(letters: readonly SuggestedFrom[]): Cluster[] {
  const clusters = new Map<string, { parts: readonly FingerprintPart[]; members: SuggestedFrom[] }>();
  for (const letter of letters) {
    const parts = fingerprint(letter.evidence).parts.filter(({ name }) => name === "class" || name === "message");
    const key = parts.map(({ value }) => value).join("\n");
    const cluster = clusters.get(key) ?? { parts, members: [] };
    cluster.members.push(letter);
    clusters.set(key, cluster);
  }
  return [...clusters.values()];
}

function suggestionFor(
  { parts, members }: Cluster,
  letters: readonly SuggestedFrom[],
  known: readonly SuggestedFrom[],
): Suggestion | undefined {
  const pattern = patternFor(parts, members);
  if (pattern === undefined) return undefined;
  const matches = matcherOf(pattern);
  // A rule must not take what is already known to be something else.
  if (known.some(({ evidence }) => matches(evidence))) return undefined;
  const taken = letters.filter(({ category, evidence }) => category === "unknown" && matches(evidence));
  if (taken.length === 0) return undefined;
  return {
    id: idFor(parts),
    pattern,
    leaning: members[0] === undefined ? null : (classify(members[0].evidence).runnerUp?.category ?? null),
    takes: taken.length,
    examples: taken.slice(0, shownExamples).map(({ id }) => id),
    alsoMatches: 0,
  };
}

/** The words all members share, with a gap wherever they differ; and the class, if the words are few. */
function patternFor(
  parts: readonly FingerprintPart[],
  members: readonly SuggestedFrom[],
): Suggestion["pattern"] | undefined {
  const name = parts.find((part) => part.name === "class")?.value;
  const template = parts.find((part) => part.name === "message")?.value ?? "";
  const pieces = template
    .split(/[#=]+/)
    .map((piece) => piece.trim())
    .filter((piece) => piece.length > 2);
  const message = pieces.map((piece) => piece.split(" ").map(escaped).join(String.raw`\W+`)).join(".*");
  const byClass = name === undefined ? {} : { class: `^${escaped(name)}$` };
  const proposal = message === "" ? byClass : { ...byClass, message: `(?is)${message}` };
  if (Object.keys(proposal).length === 0) return undefined;
  const matches = matcherOf(proposal);
  return members.every(({ evidence }) => matches(evidence)) ? proposal : undefined;
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function matcherOf(pattern: Suggestion["pattern"]): (evidence: FailureEvidence) => boolean {
  const message = pattern.message === undefined ? null : compilePattern(pattern.message);
  const ofClass = pattern.class === undefined ? null : compilePattern(pattern.class);
  return (evidence) =>
    (message === null || message.matches(evidence.message ?? "")) &&
    (ofClass === null || ofClass.matches(evidence.errorClass ?? ""));
}

/** From the first telling words: `payment-refund-refused`. */
function idFor(parts: readonly FingerprintPart[]): string {
  const words = parts
    .map(({ value }) => value)
    .reverse()
    .join(" ")
    .toLowerCase()
    .match(/[a-z]{3,}/g) ?? ["rule"];
  return words.slice(0, 4).join("-").slice(0, 64);
}
