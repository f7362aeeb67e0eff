import type { Actor } from "../../domain/actor.ts";
import type { Classification } from "../../domain/classification.ts";
import { hexOf, showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { insertPolicyVersion, latestPolicyVersion, readPolicyVersion } from "../../ledger/policy-versions.ts";
import { type Reclassification, recategoriseGroups, reclassify } from "../../ledger/reclassify.ts";
import { addRuleTags, type RuleTags } from "../../ledger/tags.ts";
import type { Policy } from "../../policy-file/policy-file.ts";
import { classifyWith, isRuled, tagsBy } from "../../triage/rules/rule.ts";
import { type LettersAtHand, type MovableLetter, movableLetters } from "./judge-anew.ts";

export interface PolicyApplied {
  readonly version: number;
  /** False: it was in force already, and only what was left undone was done. */
  readonly isNew: boolean;
  /** Letters that were classified anew. */
  readonly moved: number;
}

/**
 * Puts a policy in force, then judges the letters anew that its rules may move. The version is there first, so that
 * whatever comes in meanwhile is judged by it. Applied again, it goes on where a crash stopped it.
 */
export async function applyPolicy(
  office: LettersAtHand,
  actor: Actor,
  { policy, reason }: { readonly policy: Policy; readonly reason: string | null },
): Promise<PolicyApplied> {
  const { version, isNew } = await putInForce(office, actor, { policy, reason });
  let moved = 0;
  for await (const page of movableLetters(office)) {
    moved += await moveLetters(office, actor, { page, policy, version });
  }
  return { version, isNew, moved };
}

async function putInForce(
  { ledger, clock }: LettersAtHand,
  actor: Actor,
  { policy: { hash, text }, reason }: { readonly policy: Policy; readonly reason: string | null },
): Promise<Omit<PolicyApplied, "moved">> {
  return ledger.database.transaction(async (transaction) => {
    const latest = await latestPolicyVersion(ledger, transaction);
    const before = latest === 0 ? null : await readPolicyVersion(ledger, transaction, latest);
    if (before?.hash === hash) return { version: latest, isNew: false };
    const version = latest + 1;
    await insertPolicyVersion(ledger, transaction, { version, hash, text, appliedBy: actor.id });
    const details = { version, hash, before: before?.hash ?? null, reason };
    await recordAction(ledger, transaction, { at: clock.now(), actor, action: "policy.applied", details });
    return { version, isNew: true };
  });
}

interface Page {
  readonly page: readonly MovableLetter[];
  readonly policy: Policy;
  readonly version: number;
}

async function moveLetters(
  { ledger, clock }: LettersAtHand,
  actor: Actor,
  { page, policy, version }: Page,
): Promise<number> {
  const judged = page.map((letter) => {
    return { letter, classification: classifyWith(policy.rules, letter.evidence, letter.facts) };
  });
  const moves = judged.flatMap(({ letter, classification }): (Reclassification & { readonly group: Uint8Array })[] => {
    const { id, groupId } = letter.candidate;
    return isMoved(letter, classification) ? [{ letter: id, group: groupId, classification }] : [];
  });
  const tagged = judged.flatMap(({ letter, classification }): RuleTags[] => {
    const tags = tagsBy(policy.rules, classification);
    return tags.length === 0 ? [] : [{ letter: letter.candidate.id, tags, by: classification.rule }];
  });
  if (moves.length === 0 && tagged.length === 0) return 0;
  const groups = [...new Map(moves.map(({ group }) => [hexOf(group), group])).values()];
  return ledger.database.transaction(async (transaction) => {
    const n = moves.length === 0 ? 0 : await reclassify(ledger, transaction, moves, version);
    const put = await addRuleTags(ledger, transaction, tagged);
    if (n > 0) await recategoriseGroups(ledger, transaction, groups);
    const [first] = moves;
    const details = { by: `policy version ${version}`, n, first: first && showId("letter", first.letter) };
    if (n > 0)
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "letters.reclassified", details });
    const [firstPut] = put;
    if (firstPut !== undefined) {
      const told = {
        n: put.length,
        first: showId("letter", firstPut),
        tags: [...new Set(tagged.flatMap(({ tags }) => tags))],
      };
      const entry = { at: clock.now(), actor, action: "letters.tagged_by_rules" };
      await recordAction(ledger, transaction, { ...entry, details: { by: details.by, ...told } });
    }
    return n;
  });
}

/** Where a rule has or had a say, and says something else. What is built in moves nothing behind anyone's back. */
function isMoved({ candidate }: MovableLetter, became: Classification): boolean {
  if (!isRuled(candidate) && !isRuled(became)) return false;
  const { category, rule, sideEffect } = candidate;
  return category !== became.category || rule !== became.rule || sideEffect !== became.sideEffect;
}
