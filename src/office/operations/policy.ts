import { z } from "zod";
import { roles } from "../../domain/actor.ts";
import { categories } from "../../domain/classification.ts";
import { duplicateRules, effectRules, exemptPerDay, gateTrusts } from "../../domain/protocol.ts";
import { latestPolicyVersion, listPolicyVersions, readPolicyVersion } from "../../ledger/policy-versions.ts";
import { categoryProtocols } from "../../policy-file/category-protocols.ts";
import { comparePolicies } from "../../policy-file/compare-policies.ts";
import { defaultPolicy, defaultPolicyText } from "../../policy-file/default-policy.ts";
import { type Policy, parsePolicy } from "../../policy-file/policy-file.ts";
import { applyPolicy } from "../policy/apply-policy.ts";
import { previewEffect } from "../policy/preview-effect.ts";
import { keyPlace } from "./key-place.ts";
import { type Office, operation } from "./operation.ts";
import { wholeNumber } from "./whole-number.ts";

const longestPolicy = 1_000_000;
const policyText = z.string().max(longestPolicy, "must not be longer than 1 MB");
/** What a refusal calls it. */
const file = z.string().default("the policy");
const names = z.array(z.string());
const counted = z.object({ n: z.number(), examples: names });
const category = z.enum(categories);
const standing = z.enum(["bulk", "single", "never", "denied"]);

const keptPolicy = z.object({
  /** Null: the default, which nobody applied. */
  version: z.number().nullable(),
  hash: z.string(),
  text: z.string(),
  appliedBy: z.string().nullable(),
  appliedAt: z.string().nullable(),
});

const protocol = z.object({
  ...{ allows: z.enum(["bulk", "single", "never"]), rate: z.number(), batch: z.number(), ramp: z.array(z.number()) },
  ...{ onUnknown: z.enum(["pause", "continue"]), maxReplays: z.number(), settleS: z.number(), auto: z.boolean() },
  halt: z.object({ returns: z.number(), lag: z.number().nullable() }),
  approvals: z.object({
    ...{ n: z.number(), roles: z.array(z.enum(roles)), expiresS: z.number(), exemptUpTo: z.number() },
    /** Letters of one queue that one person may replay in such plans within 24 hours. */
    exemptPerDay: z.number(),
  }),
  probe: z.object({ url: z.string() }).nullable(),
  duplicates: z.enum(duplicateRules),
  /** Absent: as the source of a letter says. */
  keyAt: keyPlace.nullable().optional(),
  effects: z.enum(effectRules),
  health: z.array(z.string()),
  gates: z.object({ trust: z.enum(gateTrusts) }),
  deniedBy: z.string().nullable(),
});

/** Lines are of the text of that version; null: it does not say so. */
const line = z.number().nullable();

const categoryProtocol = z.object({
  category,
  /** What holds for its letters, in plain words. */
  sentences: names,
  protocol,
  parameters: z.array(z.object({ key: z.string(), value: z.string(), about: z.string(), line })),
  overrides: z.array(z.object({ name: z.string(), when: z.string(), line, changes: names })),
});

const policyChanges = z.object({
  rules: z.object({ added: names, removed: names, changed: names, reordered: z.boolean() }),
  protocols: z.array(z.object({ category, key: z.string(), from: z.string(), to: z.string() })),
  overrides: z.object({ added: names, removed: names }),
  tokens: z.array(z.object({ key: z.string(), from: z.string(), to: z.string() })),
});

const policyEffect = z.object({
  letters: z.number(),
  moves: z.array(
    counted.extend({
      ...{ from: category, to: category },
      groups: z.array(z.object({ group: z.string(), title: z.string(), n: z.number() })),
    }),
  ),
  replay: z.array(counted.extend({ from: standing, to: standing })),
  rules: z.array(z.object({ id: z.string(), n: z.number() })),
});

export const showPolicy = operation({
  name: "policy.get",
  summary: "the policy in force, or an earlier version, as it was written",
  role: "viewer",
  input: z.object({ version: wholeNumber(1).nullable().default(null) }),
  output: keptPolicy,
  async run({ ledger }, { version }) {
    const wanted = version ?? (await latestPolicyVersion(ledger, ledger.database));
    if (wanted === 0) return builtIn();
    const kept = await readPolicyVersion(ledger, ledger.database, wanted);
    return { ...kept, appliedAt: new Date(kept.appliedAt).toISOString() };
  },
});

export const listProtocols = operation({
  name: "policy.protocols",
  summary:
    "what the policy in force, or an earlier version, says of each category: in words, by parameter, with its overrides",
  role: "viewer",
  input: z.object({ version: wholeNumber(1).nullable().default(null) }),
  output: z.object({ version: z.number().nullable(), hash: z.string(), items: z.array(categoryProtocol) }),
  async run(office, input) {
    const { version, policy } = await policyOf(office, input.version);
    const items = categoryProtocols(policy).map(({ protocol: allowed, overrides, ...said }) => ({
      ...said,
      sentences: [...said.sentences],
      parameters: [...said.parameters],
      overrides: overrides.map(({ changes, ...of }) => ({ ...of, changes: [...changes] })),
      protocol: {
        ...{ ...allowed, ramp: [...allowed.ramp], health: [...allowed.health] },
        approvals: {
          ...{ ...allowed.approvals, roles: [...allowed.approvals.roles] },
          exemptPerDay: exemptPerDay(allowed.approvals),
        },
      },
    }));
    return { version, hash: policy.hash, items };
  },
});

function builtIn(): z.input<typeof keptPolicy> {
  return { version: null, hash: defaultPolicy().hash, text: defaultPolicyText, appliedBy: null, appliedAt: null };
}

export const listPolicies = operation({
  name: "policy.history",
  summary: "every version of the policy that was applied, newest first",
  role: "viewer",
  input: z.object({ limit: z.int().min(1).max(200).default(50) }),
  output: z.object({ items: z.array(keptPolicy.omit({ text: true })), next: z.null() }),
  async run({ ledger }, { limit }) {
    const kept = await listPolicyVersions(ledger, limit);
    const items = kept.map(({ version, hash, appliedBy, appliedAt }) => ({
      ...{ version, hash, appliedBy, appliedAt: new Date(appliedAt).toISOString() },
    }));
    return { items, next: null };
  },
});

export const diffPolicy = operation({
  name: "policy.diff",
  summary: "what a policy would change, compared with the one in force or an earlier version",
  role: "viewer",
  input: z.object({ text: policyText, file, version: wholeNumber(1).nullable().default(null) }),
  output: z.object({ against: z.number().nullable(), isSame: z.boolean(), changes: policyChanges }),
  async run(office, { text, file: path, version }) {
    const after = parsePolicy(text, path);
    const { version: against, policy: before } = await policyOf(office, version);
    const { rules, protocols, overrides, tokens } = comparePolicies(before, after);
    const changes = {
      rules: { ...rules, added: [...rules.added], removed: [...rules.removed], changed: [...rules.changed] },
      protocols: [...protocols],
      overrides: { added: [...overrides.added], removed: [...overrides.removed] },
      tokens: [...tokens],
    };
    return { against, isSame: before.hash === after.hash, changes };
  },
});

export const previewPolicyEffect = operation({
  name: "policy.preview",
  summary: "which open letters a policy would move, and which might go back otherwise; nothing is changed",
  role: "viewer",
  input: z.object({ text: policyText, file }),
  output: policyEffect,
  async run(office, { text, file: path }, actor) {
    const after = parsePolicy(text, path);
    const { policy: before } = await policyOf(office, null);
    const { letters, moves, replay, rules, titles } = await previewEffect(office, { before, after, actor });
    return {
      letters,
      moves: moves.map(({ groups, examples, ...move }) => ({
        ...{ ...move, examples: [...examples] },
        groups: groups.map(({ group, n }) => ({ group, title: titles[group] ?? "", n })),
      })),
      replay: replay.map(({ examples, ...change }) => ({ ...change, examples: [...examples] })),
      rules: [...rules],
    };
  },
});

export const applyPolicyFile = operation({
  name: "policy.apply",
  summary: "puts a policy in force, and classifies anew what its rules move",
  role: "admin",
  input: z.object({ text: policyText, file, reason: z.string().max(2_000).nullable().default(null) }),
  output: z.object({ version: z.number(), hash: z.string(), isNew: z.boolean(), moved: z.number() }),
  async run(office, { text, file: path, reason }, actor) {
    const policy = parsePolicy(text, path);
    return { ...(await applyPolicy(office, actor, { policy, reason })), hash: policy.hash };
  },
});

/** That version, or the one in force. */
async function policyOf(
  { ledger }: Office,
  version: number | null,
): Promise<{ readonly version: number | null; readonly policy: Policy }> {
  const wanted = version ?? (await latestPolicyVersion(ledger, ledger.database));
  if (wanted === 0) return { version: null, policy: defaultPolicy() };
  const { text } = await readPolicyVersion(ledger, ledger.database, wanted);
  return { version: wanted, policy: parsePolicy(text, `policy version ${wanted}`) };
}
