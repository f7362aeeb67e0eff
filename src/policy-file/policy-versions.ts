import type { Policy } from "./policy-file.ts";

/** A policy as it was in force. */
export interface PolicyVersion {
  /** Counting from 1. */
  readonly number: number;
  readonly hash: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly appliedAt: number;
  readonly appliedBy: string;
}

/** Where versions are kept; never changed, only added to. */
export interface PolicyVersions {
  /** Newest first. */
  list(): Promise<readonly PolicyVersion[]>;
  add(version: PolicyVersion): Promise<void>;
}

export interface Application {
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Puts a policy in force. The one that is in force already makes no new version. */
export async function applyPolicy(
  versions: PolicyVersions,
  policy: Policy,
  { by, now }: Application,
): Promise<PolicyVersion> {
  const [latest] = await versions.list();
  if (latest?.hash === policy.hash) return latest;
  const version = {
    number: (latest?.number ?? 0) + 1,
    hash: policy.hash,
    text: policy.text,
    appliedAt: now,
    appliedBy: by,
  };
  await versions.add(version);
  return version;
}

/** What changed between two policies' rules, by id; `moved` are those whose place in the order changed what comes first. */
export interface RuleChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly reordered: boolean;
}

export function compareRules(before: Policy, after: Policy): RuleChanges {
  const ids = (policy: Policy) => policy.rules.map(({ id }) => id);
  const [old, young] = [ids(before), ids(after)];
  const kept = young.filter((id) => old.includes(id));
  return {
    added: young.filter((id) => !old.includes(id)),
    removed: old.filter((id) => !young.includes(id)),
    changed: kept.filter((id) => written(before, id) !== written(after, id)),
    reordered: kept.join("\n") !== old.filter((id) => young.includes(id)).join("\n"),
  };
}

/** A rule as one text: what it was compiled from, so that two can be compared. */
function written({ rules }: Policy, id: string): string {
  const rule = rules.find((candidate) => candidate.id === id);
  const patterns = [rule?.pattern.message, rule?.pattern.class, rule?.pattern.stack].map(
    (pattern) => pattern?.text ?? null,
  );
  return JSON.stringify([rule?.when?.text, patterns, rule?.category, rule?.sideEffect, rule?.confidence, rule?.why]);
}
