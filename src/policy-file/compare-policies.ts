import { type Category, categories } from "../domain/classification.ts";
import type { Policy } from "./policy-file.ts";
import { protocolOf } from "./protocol-for.ts";

/** What changed between two policies' rules, by id. */
export interface RuleChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Those in both come in another order: another one may be the first that matches. */
  readonly reordered: boolean;
}

export interface PolicyChanges {
  readonly rules: RuleChanges;
  /** What a category's protocol says otherwise, value by value. */
  readonly protocols: readonly ProtocolChange[];
  /** Conditions of overrides that are new, gone, or have another effect or place. */
  readonly overrides: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** What is said of tokens otherwise, value by value. */
  readonly tokens: readonly Omit<ProtocolChange, "category">[];
}

export interface ProtocolChange {
  readonly category: Category;
  /** Such as `approvals.n`. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

export function comparePolicies(before: Policy, after: Policy): PolicyChanges {
  const [old, young] = [overridesOf(before), overridesOf(after)];
  const rules = compareRules(before, after);
  const protocols = categories.flatMap((category) => compareProtocols(before, after, category));
  const overrides = { added: missingFrom(old, young), removed: missingFrom(young, old) };
  return { rules, protocols, overrides, tokens: compareTokens(before, after) };
}

function compareTokens(before: Policy, after: Policy): PolicyChanges["tokens"] {
  const [from, to] = [before, after].map(({ tokens: { suspendAfter } }) =>
    suspendAfter === null ? "never" : `${suspendAfter / 86_400_000}d`,
  );
  return from === undefined || to === undefined || from === to ? [] : [{ key: "suspendAfter", from, to }];
}

function compareRules(before: Policy, after: Policy): RuleChanges {
  const ids = (policy: Policy) => policy.rules.map(({ id }) => id);
  const [old, young] = [ids(before), ids(after)];
  const kept = young.filter((id) => old.includes(id));
  return {
    added: missingFrom(old, young),
    removed: missingFrom(young, old),
    changed: kept.filter((id) => written(before, id) !== written(after, id)),
    reordered: kept.join("\n") !== old.filter((id) => young.includes(id)).join("\n"),
  };
}

const missingFrom = (these: readonly string[], those: readonly string[]) =>
  those.filter((each) => !these.includes(each));

/** A rule as one text: what it was compiled from, so that two can be compared. */
function written({ rules }: Policy, id: string): string {
  const rule = rules.find((candidate) => candidate.id === id);
  const patterns = [rule?.pattern.message, rule?.pattern.class, rule?.pattern.stack].map(
    (pattern) => pattern?.text ?? null,
  );
  return JSON.stringify([
    rule?.when?.text,
    patterns,
    rule?.category,
    rule?.sideEffect,
    rule?.confidence,
    rule?.why,
    rule?.tags,
  ]);
}

function compareProtocols(before: Policy, after: Policy, category: Category): ProtocolChange[] {
  const old = new Map(leavesOf(protocolOf(before, category)));
  return leavesOf(protocolOf(after, category)).flatMap(([key, to]) => {
    const from = old.get(key) ?? "";
    return from === to ? [] : [{ category, key, from, to }];
  });
}

/** Each value with the path to it. */
function leavesOf(value: object, path = ""): [key: string, value: string][] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, string][] => {
    const isGroup = typeof inner === "object" && inner !== null && !Array.isArray(inner);
    return isGroup ? leavesOf(inner, `${path}${name}.`) : [[`${path}${name}`, JSON.stringify(inner)]];
  });
}

function overridesOf({ overrides }: Policy): string[] {
  return overrides.map(({ id, when, set, deny }) => {
    const effect = deny === null ? JSON.stringify(set) : deny ? "deny" : "do not deny";
    return `${id === null ? "" : `${id}: `}${when.text} → ${effect}`;
  });
}
