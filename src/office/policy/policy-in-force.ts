import type { Clock } from "../../domain/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { latestPolicyVersion, readPolicyVersion } from "../../ledger/policy-versions.ts";
import { defaultPolicy } from "../../policy-file/default-policy.ts";
import { type Policy, parsePolicy } from "../../policy-file/policy-file.ts";
import { protocolFor } from "../../policy-file/protocol-for.ts";
import type { LetterFacts, PlanFacts } from "../../triage/conditions/letter-facts.ts";
import type { Rule } from "../../triage/rules/rule.ts";

/** The policy that holds at this moment. */
export interface PolicyInForce {
  /** Null while nobody applied one: then the default holds. */
  readonly version: number | null;
  /** Hexadecimal. A decision stores it. */
  readonly hash: string;
  readonly rules: readonly Rule[];
  /** What it says of one letter in one plan. */
  protocolFor(letter: LetterFacts, plan: PlanFacts): Protocol;
}

function inForce(version: number | null, policy: Policy): PolicyInForce {
  return {
    ...{ version, hash: policy.hash, rules: policy.rules },
    protocolFor: (letter, plan) => protocolFor(policy, letter, plan),
  };
}

/** What the ledger has as the latest version, or the default. */
export async function readPolicyInForce(ledger: Ledger): Promise<PolicyInForce> {
  const version = await latestPolicyVersion(ledger, ledger.database);
  return version === 0 ? inForce(null, defaultPolicy()) : readVersion(ledger, version);
}

async function readVersion(ledger: Ledger, version: number): Promise<PolicyInForce> {
  const { text } = await readPolicyVersion(ledger, ledger.database, version);
  return inForce(version, parsePolicy(text, `policy version ${version}`));
}

/** How long a process may go on with a policy before it asks whether there is another, in milliseconds. */
const freshMs = 1_000;

/**
 * Gives the policy in force without asking the ledger for each letter: a new version holds everywhere within a second. Those
 * who decide about sending read it themselves (`readPolicyInForce`).
 */
export function policyKeeper(ledger: Ledger, clock: Clock): () => Promise<PolicyInForce> {
  let kept: Promise<PolicyInForce> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const look = async (before: Promise<PolicyInForce> | undefined): Promise<PolicyInForce> => {
    const version = await latestPolicyVersion(ledger, ledger.database);
    const known = await before?.catch(() => undefined);
    if (known !== undefined && (known.version ?? 0) === version) return known;
    return version === 0 ? inForce(null, defaultPolicy()) : readVersion(ledger, version);
  };
  return () => {
    const now = clock.now();
    if (kept === undefined || now - askedAt >= freshMs) {
      askedAt = now;
      kept = look(kept);
    }
    return kept;
  };
}
