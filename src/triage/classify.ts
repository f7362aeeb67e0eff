import type { Category, Classification, FailureEvidence, RunnerUp } from "../domain/classification.ts";
import { circumstancesOf } from "./evidence/circumstances.ts";
import { gaveUpRule, givingUpOf } from "./evidence/giving-up.ts";
import { knownNames } from "./evidence/known-codes.ts";
import { otherLanguages } from "./evidence/other-languages.ts";
import { ownWordOf } from "./evidence/own-word.ts";
import { payloadOf } from "./evidence/payload.ts";
import { evidenceReader, type ReadEvidence, type Reading } from "./evidence/reading.ts";
import { stackOf } from "./evidence/stack.ts";
import { besideStatus, statusOf } from "./evidence/status.ts";
import { topicsIn } from "./evidence/topics.ts";
import type { Finding, Source } from "./finding.ts";
import { buildKnowledge, type Knowledge } from "./knowledge/knowledge.ts";
import { buildLexicon } from "./lexicon.ts";
import { once } from "./once.ts";
import { sideEffectOf } from "./side-effect.ts";

interface Reference {
  readonly knowledge: Knowledge;
  readonly read: ReadEvidence;
}

/** Built by the first classification: a program that never classifies does not pay for it. */
const reference = once((): Reference => {
  const knowledge = buildKnowledge();
  return { knowledge, read: evidenceReader(buildLexicon(knowledge)) };
});

/**
 * Says what a failure is, how sure that is, and why; `unknown` where evidence is too little or contradicts itself.
 *
 * To call a failure transient that is not is the expensive mistake, since it lets a bulk replay do damage; so transient
 * has to be clearer than anything else.
 */
export function classify(evidence: FailureEvidence): Classification {
  const { knowledge, read } = reference();
  const reading = read(evidence);
  const findings = gather(reading, knowledge);
  const verdict = decide(findings);
  const classification = { ...verdict, sideEffect: sideEffectOf(reading, findings, verdict.category) };
  return verdict.rule === gaveUpRule ? (byEarlierError(evidence, classification) ?? classification) : classification;
}

/**
 * Where the last error says only that the message was given up, the newest before it that names a cause decides. One that only
 * wraps a cause, such as "internal server error", says more than nothing, but less than any that names it.
 */
function byEarlierError(evidence: FailureEvidence, last: Classification): Classification | undefined {
  const earlier = evidence.earlier
    .toReversed()
    .map((error) => classify({ ...evidence, ...error, httpStatus: null, stack: [], earlier: [] }));
  const told = earlier.filter(({ confidence, rule }) => confidence >= 0.5 && rule !== gaveUpRule);
  const known = told.find(({ category }) => category !== "unknown") ?? told[0];
  if (known === undefined) return undefined;
  const why = `An earlier error of this letter decides, since the last one names no cause. ${known.why}`;
  const isUncertain = [last, ...earlier].some(({ sideEffect }) => sideEffect === "uncertain");
  return { ...known, why, sideEffect: isUncertain ? "uncertain" : "none" };
}

function gather(reading: Reading, knowledge: Knowledge): readonly Finding[] {
  const told = [
    ...ownWordOf(reading),
    ...knownNames(reading, knowledge),
    ...topicsIn("message", besideStatus(reading)),
    ...reading.said,
    ...otherLanguages(reading),
    ...statusOf(reading),
    ...givingUpOf(reading),
  ];
  return circumstancesOf(reading, [...told, ...stackOf(reading, told), ...payloadOf(reading, told)]);
}

/** All that speaks for one category. */
interface Case {
  readonly category: Category;
  readonly score: number;
  readonly best: Finding;
}

/** Below this nothing is claimed; transient needs to be this far ahead of what contradicts it. */
const limits = { least: 0.4, ahead: 0.01, transientAhead: 0.1 };

function decide(findings: readonly Finding[]): Omit<Classification, "sideEffect"> {
  const cases = casesOf(findings);
  const [first, second] = cases;
  if (first === undefined) return nothingKnown;
  const ahead = first.score - (second?.score ?? 0);
  if (first.score < limits.least) return tooLittle(first);
  if (second !== undefined && first.category === "transient" && ahead < limits.transientAhead)
    return contradiction(first, second);
  if (second !== undefined && ahead < limits.ahead) return contradiction(first, second);
  const runnerUp = second === undefined ? null : asRunnerUp(second);
  return {
    category: first.category,
    confidence: round(first.score),
    rule: first.best.rule,
    why: first.best.why(),
    runnerUp,
  };
}

const nothingKnown: Omit<Classification, "sideEffect"> = {
  category: "unknown",
  confidence: 0.3,
  rule: "nothing-known",
  why: "Nothing in the error, its class, code or stack is known to mean anything.",
  runnerUp: null,
};

function tooLittle(first: Case): Omit<Classification, "sideEffect"> {
  const why = `Too little to go by. ${first.best.why()}`;
  return { category: "unknown", confidence: 0.4, rule: "too-little", why, runnerUp: asRunnerUp(first) };
}

function contradiction(first: Case, second: Case): Omit<Classification, "sideEffect"> {
  const why = `The evidence contradicts itself. ${first.best.why()} But: ${second.best.why()}`;
  return { category: "unknown", confidence: 0.45, rule: "contradiction", why, runnerUp: asRunnerUp(first) };
}

/** One case for each category that anything speaks for, the strongest first. */
function casesOf(findings: readonly Finding[]): Case[] {
  const isNamed = findings.some(({ yields, weight }) => yields !== true && weight >= 0.45);
  const counted = isNamed ? findings.filter(({ yields }) => yields !== true) : findings;
  const best = new Map<Category, Finding>();
  for (const finding of counted)
    if (finding.weight > (best.get(finding.category)?.weight ?? 0)) best.set(finding.category, finding);
  const cases: Case[] = [];
  for (const finding of best.values()) cases.push(caseFor(finding, counted));
  return cases.sort((a, b) => b.score - a.score);
}

/** Another source that agrees strengthens a case; more findings of the same source do not. */
function caseFor(best: Finding, findings: readonly Finding[]): Case {
  let other = 0;
  for (const { category, source, weight } of findings)
    if (category === best.category && source !== best.source && weight > other) other = weight;
  const score = best.weight + (1 - best.weight) * 0.35 * other;
  return { category: best.category, score: Math.min(0.99, score), best: mostTelling(findings, best) };
}

/** Of what is about as sure, the first in the order in which people trust evidence. */
const ranks: Readonly<Record<Source, number>> = {
  "own word": 1,
  code: 2,
  history: 3,
  payload: 4,
  stack: 5,
  cause: 6,
  message: 7,
  class: 8,
  status: 9,
};

function mostTelling(findings: readonly Finding[], best: Finding): Finding {
  const rank = ({ source }: Finding) => ranks[source];
  let first = best;
  for (const finding of findings)
    if (finding.category === best.category && finding.weight > best.weight - 0.1 && rank(finding) < rank(first))
      first = finding;
  return first;
}

function asRunnerUp({ category, score, best }: Case): RunnerUp {
  return { category, confidence: round(score), rule: best.rule, why: best.why() };
}

const round = (value: number) => Math.round(value * 100) / 100;
