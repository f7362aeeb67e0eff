import type { Clock } from "../../domain/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { latestPolicyVersion, readPolicyVersion } from "../../ledger/policy-versions.ts";
import { defaultPolicy } from "../../policy-file/default-policy.ts";
import { type Policy, parsePolicy } from "../../policy-file/policy-file.ts";
import { protocolFor } from "../../policy-file/protocol-for.ts";
import type { LetterFacts, PlanFacts } from "../../triage/conditions/letter-facts.ts";
import type { Rule } from "../../triage/rules/rule.ts";
import { keptFresh } from "../kept-fresh.ts";

/** The policy that holds at this moment. */
export interface PolicyInForce {
  /** Null while nobody applied one: then the default holds. */
  readonly version: number | null;
  /** Hexadecimal. A decision stores it. */
  readonly hash: string;
  readonly rules: readonly Rule[];
  /** Whether it lets any letter go by itself. */
  readonly hasAuto: boolean;
  /** How long after their owner signed in last tokens are suspended, in milliseconds; null for never. */
  readonly suspendTokensAfterMs: number | null;
  /** What it says of one letter in one plan. */
  protocolFor(letter: LetterFacts, plan: PlanFacts): Protocol;
}

function inForce(version: number | null, policy: Policy): PolicyInForce {
  return {
    ...{ version, hash: policy.hash, rules: policy.rules, hasAuto: hasAuto(policy) },
    suspendTokensAfterMs: policy.tokens.suspendAfter,
    protocolFor: (letter, plan) => protocolFor(policy, letter, plan),
  };
}

function hasAuto({ protocols, overrides }: Policy): boolean {
  return protocols.transient?.auto === true || overrides.some(({ set }) => set.auto === true);
}

/** Gives what the ledger has as the latest version, or the default. Asks each time; what a version says is read once. */
export function policyReader(ledger: Ledger): () => Promise<PolicyInForce> {
  let known: PolicyInForce | undefined;
  return async () => {
    const version = await latestPolicyVersion(ledger, ledger.database);
    if (known === undefined || (known.version ?? 0) !== version) known = await readVersion(ledger, version);
    return known;
  };
}

async function readVersion(ledger: Ledger, version: number): Promise<PolicyInForce> {
  if (version === 0) return inForce(null, defaultPolicy());
  const { text } = await readPolicyVersion(ledger, ledger.database, version);
  return inForce(version, parsePolicy(text, `policy version ${version}`));
}

/** Gives the policy in force as `keptFresh` does. Those who decide about sending ask each time (`policyReader`). */
export function policyKeeper(ledger: Ledger, clock: Clock): () => Promise<PolicyInForce> {
  return keptFresh(clock, {
    latest: () => latestPolicyVersion(ledger, ledger.database),
    read: (version) => readVersion(ledger, version),
  });
}
